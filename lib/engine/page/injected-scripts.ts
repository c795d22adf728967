// The scripts that run in pages, as text: bundled from `lib/engine/injected`, one per world that runs them.
import type * as autoconsent from "../injected/autoconsent.ts";
import type * as accessibility from "../injected/bundles/accessibility.ts";
import type * as core from "../injected/bundles/core.ts";
import type * as documents from "../injected/bundles/documents.ts";
import type * as fullPage from "../injected/bundles/full-page.ts";
import type * as layout from "../injected/bundles/layout.ts";
import type * as movement from "../injected/bundles/movement.ts";
import type * as observation from "../injected/bundles/observation.ts";
import type * as overlays from "../injected/bundles/overlays.ts";
import type * as printing from "../injected/bundles/printing.ts";
import type * as visit from "../injected/bundles/visit.ts";
import type * as consentPlatform from "../injected/consent-platform.ts";
import type * as cosmeticFiltering from "../injected/cosmetic-filtering.ts";
import type * as determinism from "../injected/determinism.ts";
import type * as diagrams from "../injected/diagrams.ts";
import type * as emulation from "../injected/emulation.ts";
import type * as frameCommits from "../injected/frame-commits.ts";
import type * as pageErrors from "../injected/page-errors.ts";
import type * as stealth from "../injected/stealth.ts";
import type * as videoEncoder from "../injected/video-encoder.ts";
import type * as webSockets from "../injected/web-sockets.ts";
import type { ScriptName } from "./build-injected-scripts.ts";

/** The modules by script. */
export interface InjectedScripts {
  /** For the isolated world of a capture. */
  readonly accessibility: typeof accessibility;
  readonly core: typeof core;
  readonly fullPage: typeof fullPage;
  readonly layout: typeof layout;
  readonly movement: typeof movement;
  readonly observation: typeof observation;
  readonly overlays: typeof overlays;
  readonly diagrams: typeof diagrams;
  readonly documents: typeof documents;
  readonly printing: typeof printing;
  readonly visit: typeof visit;
  /** For the isolated world of a capture, from the start of each document. */
  readonly frameCommits: typeof frameCommits;
  readonly pageErrors: typeof pageErrors;
  /** For the isolated worlds of autoconsent, and of filter lists. */
  readonly autoconsent: typeof autoconsent;
  readonly cosmeticFiltering: typeof cosmeticFiltering;
  /** For the main world. */
  readonly consentPlatform: typeof consentPlatform;
  readonly determinism: typeof determinism;
  readonly emulation: typeof emulation;
  readonly stealth: typeof stealth;
  readonly webSockets: typeof webSockets;
  /** For the page that encodes videos. */
  readonly videoEncoder: typeof videoEncoder;
}

/** The names of the functions of a script. */
export type InjectedFunctionName<S extends ScriptName> = {
  [F in keyof InjectedScripts[S]]: InjectedScripts[S][F] extends (...args: never) => unknown ? F & string : never;
}[keyof InjectedScripts[S]];

/** One function of a script. */
export type InjectedFunction<S extends ScriptName, F extends InjectedFunctionName<S>> = InjectedScripts[S][F] extends (
  ...args: infer A
) => infer R
  ? (...args: A) => R
  : never;

/** All scripts as JSON: written into the functions' bundles by `lib/infra/bundling/bundle.ts`, and not defined in source. */
declare const INJECTED_SCRIPTS: string;

let scripts: Promise<Readonly<Record<ScriptName, string>>> | undefined;

/** A script as one expression, whose value is an object of its functions. */
export async function injectedScript(name: ScriptName): Promise<string> {
  scripts ??= load();
  return (await scripts)[name];
}

async function load(): Promise<Readonly<Record<ScriptName, string>>> {
  // esbuild leaves the branch out of the functions' bundles, and with it the bundler.
  if (typeof INJECTED_SCRIPTS === "undefined") {
    const { buildInjectedScripts } = await import("./build-injected-scripts.ts");
    return buildInjectedScripts();
  }
  return JSON.parse(INJECTED_SCRIPTS);
}

/** An expression that calls a function of a script once, with arguments that are plain data. */
export async function injectedCall<S extends ScriptName, F extends InjectedFunctionName<S>>(
  script: S,
  name: F,
  ...args: Parameters<InjectedFunction<S, F>>
): Promise<string> {
  return `${await injectedScript(script)}.${name}(${toSource(args)})`;
}

/** An expression that installs a script in an isolated world, if it is not there yet. */
export async function installation(script: ScriptName): Promise<string> {
  const key = JSON.stringify(globalName(script));
  const define = `Object.defineProperty(globalThis,${key},{value:${await injectedScript(script)}})`;
  // An element's name is a property of the global object, too, but not an own one.
  return `void(Object.hasOwn(globalThis,${key})||${define})`;
}

/** An expression that calls a function of an installed script, with arguments that are plain data. */
export function installedCall<S extends ScriptName, F extends InjectedFunctionName<S>>(
  script: S,
  name: F,
  ...args: Parameters<InjectedFunction<S, F>>
): string {
  return `${globalName(script)}.${name}(${toSource(args)})`;
}

/** A function that calls a function of an installed script, by its name and with its arguments. */
export function callDeclaration(script: ScriptName): string {
  return `(name,...values)=>${globalName(script)}[name](...values)`;
}

function globalName(script: ScriptName): string {
  return `${script}Script`;
}

function toSource(args: readonly unknown[]): string {
  return args.map((value) => JSON.stringify(value)).join(",");
}
