// Changes of this process's environment variables that are taken back.

/** Remembers all environment variables. Returns a function that gives them these values again, and removes others. */
export function rememberVariables(): () => void {
  const variables = { ...process.env };
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
  };
}
