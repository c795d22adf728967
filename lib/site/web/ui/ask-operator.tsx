// What a customer does to reach the operator, in the middle of a sentence: a link to the support where one is set.
import { isEmailAddress, supportLink } from "../../../contract/operator-identity.ts";
import { supportAddress as support } from "../service-address.ts";

export function AskOperator() {
  if (support === "") return <>ask the operator of this service</>;
  return (
    <>
      {isEmailAddress(support) ? "write to " : "go to "}
      <a href={supportLink(support)}>{support}</a>
    </>
  );
}
