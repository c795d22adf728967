// The signing secrets of an owner, current and previous, between their plain text and their stored form.
import { type SecretConversion, type SecretOwner, secretDecryption, secretEncryption } from "./encrypted-secret.ts";

interface Secrets {
  readonly signing_secret: string;
  readonly previous_signing_secrets: readonly { readonly secret: string }[];
}

/** The same with every secret encrypted, as far as the stage has data keys. */
export async function encryptSecrets<S extends Secrets>(table: string, owner: SecretOwner, secrets: S): Promise<S> {
  return convert(secrets, await secretEncryption(table, owner, listSecrets(secrets)));
}

/** The same with every secret in plain text. */
export async function decryptSecrets<S extends Secrets>(table: string, owner: SecretOwner, secrets: S): Promise<S> {
  return convert(secrets, await secretDecryption(table, owner, listSecrets(secrets)));
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
