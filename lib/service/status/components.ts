// The components of the service that the status page shows, and the check of each.

export interface StatusComponent {
  readonly id: string;
  readonly name: string;
  /** One sentence: what succeeds when the check does. */
  readonly check: string;
  /** How often it is checked, in minutes. */
  readonly everyMinutes: number;
}

export const componentIds = ["rendering", "website", "api", "asynchronous"] as const;
export type ComponentId = (typeof componentIds)[number];

export const statusComponents: readonly (StatusComponent & { readonly id: ComponentId })[] = [
  {
    id: "rendering",
    name: "Rendering",
    check: "Chromium renders a page of the service itself, and the picture is right.",
    everyMinutes: 5,
  },
  {
    id: "website",
    name: "Public address",
    check: "The address of the service answers, with its certificate and its table.",
    everyMinutes: 5,
  },
  {
    id: "api",
    name: "API",
    check: "A capture with an API key, sent to the public address, is answered with the right picture.",
    everyMinutes: 15,
  },
  {
    id: "asynchronous",
    name: "Asynchronous captures",
    check: "A capture goes through the queue and completes within 40 seconds.",
    everyMinutes: 15,
  },
];

/** The outcomes of one run of the checks: whether those that were due have succeeded. */
export type CheckOutcomes = Readonly<Partial<Record<ComponentId, boolean>>>;
