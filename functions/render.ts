// Takes the captures that are to be taken in the background, one message of the queue at a time.
export const handler = async (): Promise<never> => {
  throw new Error("Jobs are not taken yet.");
};
