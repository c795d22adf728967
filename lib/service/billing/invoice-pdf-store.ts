// Keeps the PDFs of closed invoices, which do not change, so that each is rendered once: one item of the Usage table for each.
import { createHash } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as v from "valibot";
import { dynamodb } from "../aws/clients/dynamodb.ts";
import { putItem } from "../aws/items.ts";
import { invoicePdfKey } from "../aws/table-keys.ts";

/** DynamoDB allows 400 KB for an item; an invoice takes about a tenth of it. */
const MAX_PDF_BYTES = 350_000;

export interface InvoicePdfId {
  readonly accountId: number;
  /** Start of the billing period, as a timestamp. */
  readonly start: string;
  /** The page that is printed. The account's name and address are on it, so it changes when they do. */
  readonly page: string;
}

const PdfSchema = v.object({ page_hash: v.string(), pdf: v.instance(Uint8Array) });

/** Finds the PDF of a page; undefined when it is not stored, or of an earlier page. */
export async function findInvoicePdf(
  table: string,
  { accountId, start, page }: InvoicePdfId,
): Promise<Buffer | undefined> {
  const { Item } = await dynamodb().send(new GetCommand({ TableName: table, Key: invoicePdfKey(accountId, start) }));
  const stored = Item && v.parse(PdfSchema, Item);
  return stored?.page_hash === hashOf(page) ? Buffer.from(stored.pdf) : undefined;
}

/** Stores the PDF of a page in place of that of an earlier one. Does nothing with one that is too large for an item. */
export async function storeInvoicePdf(
  table: string,
  { accountId, start, page }: InvoicePdfId,
  pdf: Buffer,
): Promise<void> {
  if (pdf.length > MAX_PDF_BYTES) return;
  const item = { ...invoicePdfKey(accountId, start), page_hash: hashOf(page), pdf };
  await putItem(table, item);
}

function hashOf(page: string): string {
  return createHash("sha256").update(page).digest("hex");
}
