// Autoconsent in one document: its content script runs in a world of its own, and what it says is followed from here.
import type { CDPSession } from "puppeteer-core";
import { consentMessages, openConsentWorld, sendConsentMessage, untilGone } from "../injected/consent.ts";
import type { ConsentFiles, ConsentRule } from "./autoconsent-files.ts";
import type { BannerParts } from "./autoconsent-rules.ts";
import type { ClickedDocument } from "./page-left.ts";

/** How far it is. Autoconsent's own words, less those nobody waits for. */
export type Stage =
  /** It looks whether there is a banner. */
  | "looking"
  /** There is none. */
  | "nothing"
  /** It has found a platform, whose banner is not to be seen yet. */
  | "found"
  /** It is clicking. */
  | "closing"
  | "closed"
  /** It has clicked what opens something else that is to be closed. */
  | "passed-on"
  | "failed";

const stages: Readonly<Record<string, Stage>> = {
  loading: "looking",
  waitingForInitResponse: "looking",
  initialized: "looking",
  started: "looking",
  nothingDetected: "nothing",
  cmpDetected: "found",
  openPopupDetected: "closing",
  runningOptOut: "closing",
  runningOptIn: "closing",
  done: "closed",
  optOutSucceeded: "passed-on",
  optInSucceeded: "passed-on",
  optOutFailed: "failed",
  optInFailed: "failed",
};

type Message =
  | { readonly type: "lifecycle"; readonly lifecycle: string }
  | { readonly type: "popupFound"; readonly cmp: string }
  | { readonly type: "eval"; readonly id: string; readonly snippetId?: string }
  | { readonly type: "optOutResult" | "optInResult"; readonly cmp: string; readonly result: boolean }
  | { readonly type: "autoconsentDone"; readonly isCosmetic: boolean; readonly totalClicks: number };

export interface ConsentDocument {
  readonly frameId: string;
  readonly isTop: boolean;
  readonly url: string;
  /** The document of the main frame that it is, or is part of. */
  readonly page: ClickedDocument;
}

/** The name of the isolated worlds in which the content script runs, and of what they call before each click. */
export const CONSENT_WORLD = "consent";
export const CLICKED = "consentClicked";

interface Opening extends Omit<ConsentFiles, "rules"> {
  readonly rules: readonly ConsentRule[];
  /** What its world calls with before a click. */
  readonly id: string;
  /** Called when a piece of script is run that may click. */
  readonly clicked: () => void;
}

/** Rejects by itself what it finds; `logs` must be whole. */
const CONFIG = {
  enabled: true,
  autoAction: "optOut",
  // A banner that is closed is to be gone, and one that is not is to be seen.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableHeuristicDetection: false,
  heuristicMode: "off",
  // It looks once, and again when it is told to.
  detectRetries: 0,
  logs: {
    lifecycle: false,
    rulesteps: false,
    detectionsteps: false,
    evals: false,
    errors: false,
    messages: false,
    waits: false,
  },
};

export class AutoconsentFrame {
  readonly document: ConsentDocument;
  readonly #cdp: CDPSession;
  readonly #contextId: number;
  readonly #snippets: ConsentFiles["snippets"];
  readonly #clicked: () => void;
  stage: Stage = "looking";
  /** When it came to its stage. */
  since = performance.now();
  /** True once its document is. */
  isGone = false;
  /** Name of the rule whose banner is to be seen, or was. */
  rule?: string;
  /** True where the banner was taken away and not answered. */
  isHidden = false;
  #snippetsRun = 0;

  /** The script begins to look at once. Rejects when the document is gone already. */
  static async open(
    cdp: CDPSession,
    document: ConsentDocument,
    { script, snippets, rules, id, clicked }: Opening,
  ): Promise<AutoconsentFrame> {
    const { executionContextId } = await cdp.send("Page.createIsolatedWorld", {
      frameId: document.frameId,
      worldName: CONSENT_WORLD,
    });
    const frame = new AutoconsentFrame(cdp, document, executionContextId, { snippets, clicked });
    const begin = { type: "initResp", config: CONFIG, rules: { autoconsent: rules.map(asSent) } };
    const expression = `(${openConsentWorld})(${JSON.stringify(CLICKED)}, ${JSON.stringify(id)});\n${script}\n;(${sendConsentMessage})(${JSON.stringify(begin)})`;
    await cdp.send("Runtime.evaluate", { expression, contextId: executionContextId });
    return frame;
  }

  private constructor(
    cdp: CDPSession,
    document: ConsentDocument,
    contextId: number,
    { snippets, clicked }: Pick<Opening, "snippets" | "clicked">,
  ) {
    this.#cdp = cdp;
    this.document = document;
    this.#contextId = contextId;
    this.#snippets = snippets;
    this.#clicked = clicked;
  }

  /** Resolves when the document is gone. Calls `changed` whenever there is news, and at the end. */
  async follow(changed: () => void): Promise<void> {
    for (;;) {
      const messages = await this.#call(consentMessages).catch(() => undefined);
      if (!messages) break;
      for (const message of messages as Message[]) this.#hear(message);
      changed();
    }
    this.isGone = true;
    // The answer led elsewhere, or the frame went with its banner, before anybody could be told.
    if (this.stage === "closing") this.#enter("closed");
    changed();
  }

  /** Looks once more. */
  look(): void {
    this.#enter("looking");
    this.#tell({ type: "initResp", config: CONFIG, rules: null });
  }

  /** Clicks what accepts on the banner that was found. */
  accept(): void {
    this.#enter("closing");
    this.#tell({ type: "optIn" });
  }

  /** Waits until a banner has faded out, at most `capMs`; tells whether it has, as it does with its document. */
  async bannerGone({ box, around }: BannerParts, capMs: number): Promise<boolean> {
    try {
      return (await this.#call(untilGone, [...box, ...around], capMs)) || (await this.#call(untilGone, box, 0));
    } catch {
      return true;
    }
  }

  #hear(message: Message): void {
    switch (message.type) {
      case "lifecycle":
        this.#enter(stages[message.lifecycle] ?? this.stage);
        break;
      case "popupFound":
        this.rule ??= message.cmp;
        this.#snippetsRun = 0;
        break;
      case "eval":
        void this.#run(message.id, message.snippetId ?? "");
        break;
      case "autoconsentDone":
        this.isHidden = message.isCosmetic || message.totalClicks + this.#snippetsRun === 0;
        break;
    }
  }

  #enter(stage: Stage): void {
    if (stage === this.stage) return;
    this.stage = stage;
    this.since = performance.now();
  }

  /** Runs a piece of script in the page's own world: one that the rules know by name, and no other. */
  async #run(id: string, name: string): Promise<void> {
    this.#snippetsRun++;
    if (this.stage === "closing") this.#clicked();
    // The page's own world is that of its main frame; in other frames hardly any rule has a snippet.
    const expression = (this.document.isTop && this.#snippets[name]) || "false";
    const running = this.#cdp.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const outcome = await running.catch(() => undefined);
    this.#tell({ type: "evalResp", id, result: Boolean(outcome?.result.value) && !outcome?.exceptionDetails });
  }

  #tell(message: object): void {
    void this.#call(sendConsentMessage, message).catch(() => undefined); // the document is gone
  }

  async #call<A extends unknown[], R>(script: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    const { result } = await this.#cdp.send("Runtime.callFunctionOn", {
      executionContextId: this.#contextId,
      functionDeclaration: String(script),
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    return result.value as Awaited<R>;
  }
}

/** What the content script needs to know of a rule. */
function asSent({ prehideSelectors: _, ...rule }: ConsentRule): Omit<ConsentRule, "prehideSelectors"> {
  return rule;
}
