// What stands for each screen until it has loaded: the same boxes and headings, with bars in place of what is read. The build renders them
// into the documents.
import { Figure } from "../ui/figure.tsx";
import { MeterSkeleton } from "../ui/meter.tsx";
import { Bar, Skeleton, SkeletonRows } from "../ui/skeleton.tsx";
import { todayLabels, usageLabels } from "./figure-labels.ts";

export function Overview() {
  return (
    <Skeleton label="The overview is being read.">
      <Figures labels={todayLabels} />
      <section>
        <h2>This billing period</h2>
        <MeterSkeleton />
        <Bar size="full" />
        <Bar size="l" />
      </section>
      <section>
        <h2>
          <Bar size="l" />
        </h2>
        <SkeletonRows rows={2} kind="card" />
      </section>
    </Skeleton>
  );
}

function Figures({ labels, hasChange = false }: { readonly labels: readonly string[]; readonly hasChange?: boolean }) {
  return (
    <section class="figures">
      {labels.map((label) => (
        <Figure key={label} label={label} {...(hasChange && { change: "" })} />
      ))}
    </section>
  );
}

export function Keys() {
  return (
    <Skeleton label="The API keys are being read.">
      <span class="button-skeleton" />
      <SkeletonRows rows={3} kind="card" />
    </Skeleton>
  );
}

export function Captures() {
  return (
    <Skeleton label="The captures are being read.">
      <div class="filters-skeleton">
        <div class="filter-row">
          <Field isMain />
          <Field />
          <Field />
        </div>
        <p class="fold-skeleton">
          <Bar />
        </p>
      </div>
      <CaptureListSkeleton />
    </Skeleton>
  );
}

function Field({ isMain = false }: { readonly isMain?: boolean }) {
  return (
    <div class={isMain ? "field field-main" : "field field-skeleton"}>
      <span>
        <Bar />
      </span>
      <span class="input-skeleton" />
    </div>
  );
}

/** The list below its filters. */
export function CaptureListSkeleton() {
  return (
    <section>
      <div class="list-head-skeleton">
        <Bar size="l" />
      </div>
      <div class="grid-skeleton">
        {Array.from({ length: 12 }, (_, index) => (
          <p key={index}>
            <span class="thumbnail" />
            <Bar size="l" />
            <Bar />
          </p>
        ))}
      </div>
    </section>
  );
}

export function Capture() {
  return (
    <Skeleton label="The capture is being read.">
      <p class="back">
        <Bar />
      </p>
      <div class="capture-head">
        <h1>Capture</h1>
        <SummarySkeleton />
      </div>
      <CaptureBodySkeleton />
    </Skeleton>
  );
}

/** What a capture came to, in a line below its heading. */
export function SummarySkeleton() {
  return (
    <p class="summary-skeleton" aria-hidden="true">
      <Bar size="l" />
    </p>
  );
}

/** The capture below its heading. */
export function CaptureBodySkeleton() {
  return (
    <div class="capture-columns">
      <div class="capture-main">
        <div class="capture-actions">
          <span class="button-skeleton" />
          <p class="note">
            <Bar size="l" />
          </p>
        </div>
        <section>
          <h2>Result</h2>
          <div class="skeleton-row result-placeholder" />
        </section>
      </div>
      <aside>
        <SkeletonRows rows={6} />
      </aside>
    </div>
  );
}

export function Webhooks() {
  return (
    <Skeleton label="The receivers of webhooks are being read.">
      <section>
        <h2>New receiver</h2>
        <div class="inline-form">
          <Field />
          <Field isMain />
        </div>
      </section>
      <SkeletonRows rows={4} />
    </Skeleton>
  );
}

export function Usage() {
  return (
    <Skeleton label="The usage is being read.">
      <div class="filters">
        <span class="button-skeleton" />
        <Field />
      </div>
      <StatisticsSkeleton />
    </Skeleton>
  );
}

/** The figures, the chart, and the table of the days. */
export function StatisticsSkeleton() {
  return (
    <>
      <Figures labels={usageLabels} hasChange />
      <section>
        <h2>Captures per day (UTC)</h2>
        <div class="skeleton-row chart-skeleton" />
      </section>
      <SkeletonRows rows={8} />
    </>
  );
}

export function Billing() {
  return (
    <Skeleton label="The plan and the invoices are being read.">
      <section>
        <h2>
          <Bar size="l" />
        </h2>
        <MeterSkeleton />
      </section>
      <section>
        <h2>Plans</h2>
        <div class="plans">
          {Array.from({ length: 4 }, (_, index) => (
            <span key={index} class="skeleton-card plan-skeleton" />
          ))}
        </div>
      </section>
      <section>
        <h2>Invoices</h2>
        <SkeletonRows rows={4} />
      </section>
    </Skeleton>
  );
}

export function Account() {
  return (
    <Skeleton label="The account is being read.">
      <section>
        <h2>
          <Bar size="l" />
        </h2>
        <dl class="facts">
          {["Account id", "Plan", "E-mail address", "Opened"].map((name) => (
            <FactSkeleton key={name} name={name} />
          ))}
        </dl>
      </section>
      <div class="inline-form">
        <Field />
      </div>
      <SkeletonRows rows={2} kind="card" />
    </Skeleton>
  );
}

function FactSkeleton({ name }: { readonly name: string }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>
        <Bar size="l" />
      </dd>
    </>
  );
}
