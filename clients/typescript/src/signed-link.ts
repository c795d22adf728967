// Signed links: the URL of a capture that anyone can open, signed with HMAC-SHA256 and without a request to the service.

interface LinkSigner {
  /** The `id` of the API key that signs. */
  readonly keyId: number;
  /** Its signing secret, `whsec_…`. */
  readonly signingSecret: string;
}

/** The signed URL of a capture. `expires` is in milliseconds since 1970, at most a year ahead. */
export async function signLink(
  baseUrl: string,
  options: object,
  { keyId, signingSecret, expires }: LinkSigner & { readonly expires: number },
): Promise<string> {
  const query = new URLSearchParams({ key_id: String(keyId), expires: String(Math.floor(expires / 1000)) });
  for (const [name, value] of Object.entries(options)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) query.append(name, typeof each === "object" ? JSON.stringify(each) : String(each));
    }
  }
  query.sort();
  return `${baseUrl}/api/v1/screenshot?${query}&signature=${await hmacHex(query.toString(), signingSecret)}`;
}

async function hmacHex(text: string, secret: string): Promise<string> {
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return Array.from(signature, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
