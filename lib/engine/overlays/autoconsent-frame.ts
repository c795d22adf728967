// Autoconsent in one document: runs its content script in an isolated world, and follows its messages.
import type { CDPSession } from "puppeteer-core";
import * as v from "valibot";
import type { ConsentFiles, ConsentRule } from "../adblock/autoconsent-files.ts";
import {
  callDeclaration,
  type InjectedFunction,
  type InjectedFunctionName,
  installation,
  installedCall,
} from "../page/injected-scripts.ts";
import type { BannerParts } from "./autoconsent-rules.ts";
import type { ClickedDocument } from "./page-left.ts";

/** Autoconsent's lifecycle states, reduced to those that a capture waits for. */
export type Stage =
  /** It checks whether there is a banner. */
  | "looking"
  /** It has found no banner. */
  | "nothing"
  /** It has found a platform whose banner is not visible yet. */
  | "found"
  /** It is clicking. */
  | "closing"
  | "closed"
  /** It has opened a second banner, in another frame, that is to be closed. */
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

/** The messages of the content script that matter here; it has others. */
const messageSchema = v.variant("type", [
  v.object({ type: v.literal("lifecycle"), lifecycle: v.string() }),
  v.object({ type: v.literal("popupFound"), cmp: v.string() }),
  v.object({ type: v.literal("eval"), id: v.string(), snippetId: v.optional(v.string()) }),
  v.object({ type: v.literal("autoconsentDone"), isCosmetic: v.boolean(), totalClicks: v.number() }),
]);

type Message = v.InferOutput<typeof messageSchema>;

export interface ConsentDocument {
  readonly frameId: string;
  readonly isTop: boolean;
  readonly url: string;
  /** The document of the main frame that it is part of. */
  readonly page: ClickedDocument;
}

/** The name of the content script's isolated worlds, and of the binding that is called before each click. */
export const CONSENT_WORLD = "consent";
export const CLICKED = "consentClicked";

interface Opening extends Omit<ConsentFiles, "rules"> {
  readonly rules: readonly ConsentRule[];
  /** The argument of the binding. */
  readonly id: string;
  /** Called before a snippet is evaluated, which may click. */
  readonly clicked: () => void;
}

/** The content script rejects on its own. It needs all properties of `logs`. */
const CONFIG = {
  enabled: true,
  autoAction: "optOut",
  // A banner that could not be closed must stay visible.
  enablePrehide: false,
  enableCosmeticRules: true,
  enableGeneratedRules: true,
  enableHeuristicDetection: false,
  heuristicMode: "off",
  // One check per `look`.
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
  /** When the stage began, on the clock of `performance.now()`. */
  since = performance.now();
  /** True when its document is gone. */
  isGone = false;
  /** Name of the rule whose banner is, or was, visible. */
  rule?: string;
  /** True when the banner was hidden without an answer. */
  isHidden = false;
  #snippetsRun = 0;

  /** Starts the content script, which checks for a banner at once. Rejects when the document is gone already. */
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
    const initialization = { type: "initResp", config: CONFIG, rules: { autoconsent: rules.map(toContentScriptRule) } };
    const expressions = [
      await installation("autoconsent"),
      installedCall("autoconsent", "prepareWorld", CLICKED, id),
      script,
      installedCall("autoconsent", "sendMessage", initialization),
    ];
    await cdp.send("Runtime.evaluate", { expression: expressions.join("\n;"), contextId: executionContextId });
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

  /** Follows the script's messages until the document is gone. Calls `changed` after messages, and at the end. */
  async follow(changed: () => void): Promise<void> {
    for (;;) {
      const messages = await this.#call("nextMessages").catch(() => undefined);
      if (!Array.isArray(messages)) break;
      for (const message of messages) {
        const parsed = v.safeParse(messageSchema, message);
        if (parsed.success) this.#receive(parsed.output);
      }
      changed();
    }
    this.isGone = true;
    // The click navigated, or removed the frame of the banner, before the script reported success.
    if (this.stage === "closing") this.#enter("closed");
    changed();
  }

  /** Checks for a banner once more. */
  look(): void {
    this.#enter("looking");
    this.#send({ type: "initResp", config: CONFIG, rules: null });
  }

  /** Accepts on the banner that was found. */
  accept(): void {
    this.#enter("closing");
    this.#send({ type: "optIn" });
  }

  /** Waits at most `capMs` until a banner has faded out. True when it has, or when its document is gone. */
  async awaitBannerGone({ banner, around }: BannerParts, capMs: number): Promise<boolean> {
    try {
      const isGone = async (selectors: BannerParts["banner"], ms: number) =>
        (await this.#call("awaitBannerGone", selectors, ms)) === true;
      return (await isGone([...banner, ...around], capMs)) || (await isGone(banner, 0));
    } catch {
      return true;
    }
  }

  #receive(message: Message): void {
    switch (message.type) {
      case "lifecycle":
        this.#enter(stages[message.lifecycle] ?? this.stage);
        break;
      case "popupFound":
        this.rule ??= message.cmp;
        this.#snippetsRun = 0;
        break;
      case "eval":
        void this.#evaluateSnippet(message.id, message.snippetId ?? "");
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

  /** Evaluates a snippet of the rules in the page's main world. */
  async #evaluateSnippet(id: string, name: string): Promise<void> {
    this.#snippetsRun++;
    if (this.stage === "closing") this.#clicked();
    // Evaluated in the main frame only: hardly any rule for other frames has a snippet.
    const expression = (this.document.isTop && this.#snippets[name]) || "false";
    const running = this.#cdp.send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const outcome = await running.catch(() => undefined);
    this.#send({ type: "evalResp", id, result: Boolean(outcome?.result.value) && !outcome?.exceptionDetails });
  }

  #send(message: object): void {
    void this.#call("sendMessage", message).catch(() => undefined); // the document is gone
  }

  async #call<F extends InjectedFunctionName<"autoconsent">>(
    name: F,
    ...args: Parameters<InjectedFunction<"autoconsent", F>>
  ): Promise<unknown> {
    const { result } = await this.#cdp.send("Runtime.callFunctionOn", {
      executionContextId: this.#contextId,
      functionDeclaration: callDeclaration("autoconsent"),
      arguments: [name, ...args].map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
    });
    return result.value;
  }
}

/** The part of a rule that the content script needs. */
function toContentScriptRule({ prehideSelectors: _, ...rule }: ConsentRule): Omit<ConsentRule, "prehideSelectors"> {
  return rule;
}
