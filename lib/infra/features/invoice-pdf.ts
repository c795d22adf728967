// `GET /api/v1/account/invoices/{start}/pdf`: an invoice as a PDF, which a function with Chromium makes.
import { Duration, Size } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { AuthenticatedFunction } from "../functions/authenticated-function.ts";
import { type BrowserLayers, browserProps, setLayerFolders } from "../functions/browser-layers.ts";
import type { FeatureProps } from "./feature-props.ts";

export interface InvoicePdfProps extends FeatureProps<"accounts" | "usage" | "queues"> {
  readonly layers: BrowserLayers;
}

/** `GET /api/v1/account/invoices/{start}/pdf`: the service's own browser makes the PDF, of a page that loads nothing. */
export class InvoicePdfFunction extends AuthenticatedFunction {
  constructor(scope: Construct, id: string, { stage, data, layers }: InvoicePdfProps) {
    super(scope, id, {
      stage,
      file: "invoice-pdf",
      data,
      memorySize: stage.browserMemoryMb,
      timeout: Duration.seconds(60),
      ephemeralStorageSize: Size.mebibytes(1024),
      ...browserProps(layers),
    });
    setLayerFolders(this);
    this.setEnvironment("LAUNCH_AHEAD", "false");
    data.accounts.grantReadAccounts(this);
    data.usage.grantReadPeriods(this);
    data.usage.grantFreezePeriods(this);
    data.usage.grantHoldSlots(this); // a PDF counts as a running capture
    data.usage.grantKeepInvoices(this);
    this.setEnvironment("MAX_CONCURRENT_CAPTURES", String(stage.browserConcurrency ?? stage.maxConcurrentCaptures));
  }
}
