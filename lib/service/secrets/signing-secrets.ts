// The signing secrets of an owner, current and previous, between their plain text and their stored form.
import { logError } from "../platform/log.ts";
import { type SecretConversion, type SecretOwner, secretDecryption, secretEncryption } from "./encrypted-secret.ts";

interface Secrets {
  readonly signing_secret: string;
  readonly previous_signing_secrets: readonly { readonly secret: string }[];
}

/** The same with every secret encrypted, as far as the stage has data keys. */
export async function encryptSecrets<S extends Secrets>(table: string, owner: SecretOwner, secrets: S): Promise<S> {
  return convert(secrets, await secretEncryption(table, owner, listSecrets(secrets)));
}

/**
 * The same with every secret in plain text. Leaves out previous secrets that can't be decrypted: after the loss of the KMS key, a
 * rotation is what makes a key or a receiver work again. Throws when the current one can't be decrypted.
 */
export async function decryptSecrets<S extends Secrets>(table: string, owner: SecretOwner, secrets: S): Promise<S> {
  const decrypt = await secretDecryption(table, owner, listSecrets(secrets));
  const canDecrypt = ({ secret }: { readonly secret: string }) => {
    try {
      return decrypt(secret) !== "";
    } catch (error) {
      logError("secret-not-decrypted", error, { owner: owner.join(" ") });
      return false;
    }
  };
  return convert(
    { ...secrets, previous_signing_secrets: secrets.previous_signing_secrets.filter(canDecrypt) },
    decrypt,
  );
}

function listSecrets({ signing_secret, previous_signing_secrets }: Secrets): string[] {
  return [signing_secret, ...previous_signing_secrets.map(({ secret }) => secret)];
}

function convert<S extends Secrets>(secrets: S, conversion: SecretConversion): S {
  return {
    ...secrets,
    signing_secret: conversion(secrets.signing_secret),
    previous_signing_secrets: secrets.previous_signing_secrets.map((previous) => ({
      ...previous,
      secret: conversion(previous.secret),
    })),
  };
}
