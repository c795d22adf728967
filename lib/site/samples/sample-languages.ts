// The languages of code samples.

/** Names for readers, by the name of the highlighter's grammar. */
export const sampleLanguages = {
  sh: "curl",
  javascript: "JavaScript",
  typescript: "TypeScript",
  python: "Python",
  php: "PHP",
  go: "Go",
  java: "Java",
  ruby: "Ruby",
  csharp: "C#",
} as const;
export type SampleLanguage = keyof typeof sampleLanguages;
