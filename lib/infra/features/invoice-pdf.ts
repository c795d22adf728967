// `GET /api/v1/account/invoices/{start}/pdf`: an invoice as a PDF, which a function with Chromium makes.
import { Duration } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import { setPaymentTerms } from "../functions/billing-terms.ts";
import { type Rendering, renderingProps, setRendering } from "../functions/rendering-props.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface InvoicePdfProps extends FeatureProps<"accounts" | "usage" | "queues"> {
  readonly rendering: Rendering;
}

/** `GET /api/v1/account/invoices/{start}/pdf`: the service's own browser makes the PDF, of a page that loads nothing. */
export class InvoicePdfFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data, rendering }: InvoicePdfProps) {
    super(scope, id, {
      stage,
      file: "invoice-pdf",
      data,
      timeout: Duration.seconds(60),
      ...renderingProps(rendering, { memorySize: stage.browserMemoryMb, ephemeralStorageMb: 1024 }),
    });
    setRendering(this, rendering);
    this.setEnvironment("LAUNCH_AHEAD", "false");
    data.accounts.grantReadAccounts(this);
    data.usage.grantReadPeriods(this);
    data.usage.grantFreezePeriods(this);
    data.usage.grantHoldSlots(this); // a PDF counts as a running capture
    data.usage.grantStoreInvoices(this);
    setPaymentTerms(this, stage);
    this.setCaptureCapacity(stage);
  }
}
