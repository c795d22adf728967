// The root component of the playground.

export function Playground() {
  return <p>The playground needs a moment.</p>;
}
