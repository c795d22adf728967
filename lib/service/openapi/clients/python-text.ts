// Texts of Python.

/** A docstring. */
export function pythonText(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
  return text.includes("\n") ? `"""\n${escaped}\n"""` : `"""${escaped}"""`;
}
