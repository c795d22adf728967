// All routes of the service: read by the infrastructure, the OpenAPI document, and tests. A function imports those that it answers.
import { sitePaths } from "../site/site-paths.ts";
import * as account from "./account/routes.ts";
import * as settings from "./account/settings-routes.ts";
import * as captureExports from "./account-data/capture-export-routes.ts";
import * as accountData from "./account-data/owner-routes.ts";
import { getInvoicePdfRoute } from "./billing/invoice-pdf-route.ts";
import * as bulk from "./bulk/routes.ts";
import { getCaptureReportRoute } from "./captures/report-routes.ts";
import * as screenshot from "./captures/routes.ts";
import * as service from "./health/routes.ts";
import { type PathMethods, pathMethods } from "./http/path-templates.ts";
import type { DocumentedRoute, Endpoint, Route } from "./http/route.ts";
import * as jobs from "./jobs/routes.ts";
import * as keyless from "./keyless/routes.ts";
import * as keys from "./keys/routes.ts";
import * as mcp from "./mcp/routes.ts";
import * as operatedAccounts from "./operator/account-routes.ts";
import * as operatorEvents from "./operator/event-routes.ts";
import * as operator from "./operator/routes.ts";
import * as operatorToday from "./operator/today-routes.ts";
import * as receiverEvents from "./receivers/event-routes.ts";
import * as receivers from "./receivers/routes.ts";
import * as results from "./results/routes.ts";
import * as session from "./sessions/routes.ts";
import * as usage from "./usage/routes.ts";

/** All routes, in the order of the OpenAPI document. Of two paths that match a request, the first one answers it. */
export const routes: readonly Route[] = [
  screenshot.captureByQueryRoute,
  screenshot.captureRoute,
  getCaptureReportRoute,
  jobs.getAsyncCaptureRoute,
  jobs.deleteAsyncCaptureRoute,
  jobs.redeliverWebhookRoute,
  jobs.listAsyncCapturesRoute,
  jobs.testWebhookRoute,
  bulk.captureBulkRoute,
  usage.listCapturesRoute,
  usage.usageStatisticsRoute,
  usage.usageBreakdownRoute,
  usage.searchCapturesRoute,
  usage.exportCapturesRoute,
  captureExports.startCaptureExportRoute,
  captureExports.getCaptureExportRoute,
  usage.getCaptureDetailsRoute,
  usage.deleteCaptureRoute,
  usage.getThumbnailRoute,
  account.getAccountRoute,
  settings.getAccountSettingsRoute,
  settings.changeAccountSettingsRoute,
  account.listInvoicesRoute,
  getInvoicePdfRoute,
  keys.listKeysRoute,
  keys.createKeyRoute,
  keys.getKeyRoute,
  keys.changeKeyRoute,
  keys.revokeKeyRoute,
  keys.rotateKeyRoute,
  keys.endPreviousTextsRoute,
  receivers.listReceiversRoute,
  receivers.createReceiverRoute,
  receivers.getReceiverRoute,
  receivers.changeReceiverRoute,
  receivers.deleteReceiverRoute,
  receivers.getReceiverSecretRoute,
  receivers.rotateReceiverSecretRoute,
  receiverEvents.pauseReceiverRoute,
  receiverEvents.resumeReceiverRoute,
  receiverEvents.listReceiverDeliveriesRoute,
  receiverEvents.testReceiverRoute,
  receiverEvents.replayWebhooksRoute,
  results.getResultRoute,
  service.getOpenapiDocumentRoute,
  service.getHealthRoute,
  session.signInRoute,
  session.getSessionRoute,
  session.signOutRoute,
  session.listSessionsRoute,
  session.endOtherSessionsRoute,
  session.endSessionRoute,
  session.listSignInMethodsRoute,
  session.sendSignInCodeRoute,
  session.signInByCodeRoute,
  session.sendCodeToCurrentAddressRoute,
  session.proveCurrentAddressRoute,
  session.sendCodeToNewAddressRoute,
  session.changeAddressRoute,
  session.undoAddressChangeRoute,
  session.reportSignInRoute,
  accountData.startAccountExportRoute,
  accountData.listAccountExportsRoute,
  accountData.getAccountExportRoute,
  accountData.startDeletionRoute,
  accountData.getDeletionRoute,
  mcp.callMcpRoute,
  keyless.tryCaptureRoute,
  operator.listOperatorSignInMethodsRoute,
  operator.sendOperatorCodeRoute,
  operator.signInOperatorByCodeRoute,
  operator.signInOperatorByLinkRoute,
  operator.getOperatorSessionRoute,
  operator.signOutOperatorRoute,
  operator.listAuditRoute,
  operator.exportAuditRoute,
  operatedAccounts.listOperatedAccountsRoute,
  operatedAccounts.getOperatedAccountRoute,
  operatedAccounts.listOperatedCapturesRoute,
  operatedAccounts.getOperatedPictureRoute,
  operatedAccounts.changeAccountPlanRoute,
  operatedAccounts.suspendAccountRoute,
  operatedAccounts.resumeAccountRoute,
  operatedAccounts.changeAccountLimitsRoute,
  operatedAccounts.sendSignInLinkRoute,
  operatorToday.getTodayRoute,
  operatorToday.traceRequestRoute,
  operatorToday.listFailedRoute,
  operatorToday.retryFailedRoute,
  operatorEvents.listOperatorEventsRoute,
  operatorEvents.sendOperatorEventRoute,
];

/** The routes of the contract, in the order of the OpenAPI document. */
export const apiRoutes: readonly DocumentedRoute[] = routes.flatMap((route) => {
  const { operation } = route;
  return operation ? [{ ...route, operation }] : [];
});

const siteEndpoints = sitePaths.map((path): Endpoint => ({ method: "GET", path, functionName: "web" }));

/** Every method of every path, with the function that answers it. */
export const endpoints: readonly Endpoint[] = [...routes, ...siteEndpoints];

/**
 * The methods of each path, by which a function refuses what no route matches. No function says that the operator's paths exist, in stages
 * with operators and without.
 */
export const knownPaths: PathMethods = pathMethods(endpoints.filter(({ functionName }) => functionName !== "operator"));
