// Normalizes text, so that labels of a page can be compared with the vocabulary.

/** Lower case, without accents and punctuation, and with single spaces. */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u0655\u200b-\u200f\u00ad]|\ufe0f/g, "")
    .normalize("NFC")
    .replace(/[’‘ʼ`´]/g, "'")
    .replace(/ß/g, "ss")
    .replace(/ı/g, "i")
    .replace(/ł/g, "l")
    .replace(/ς/g, "σ")
    .replace(/[يى]/g, "ی")
    .replace(/ك/g, "ک")
    .replace(/[-.,!?;:"„“”«»()[\]¡¿…。、，！？：；·•|/–—→›>।\s]+/g, " ")
    .trim();
}
