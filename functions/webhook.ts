// Delivers the webhooks of jobs, one message of the queue at a time.
export const handler = async (): Promise<never> => {
  throw new Error("Webhooks are not delivered yet.");
};
