// An invoice as a PDF that Chromium prints.
import { describe, expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { openClient } from "../../support/client.ts";
import { signIn } from "../../support/signed-in.ts";

describe("an invoice as a PDF", () => {
  test("has the lines of the invoice, and is no capture", async () => {
    const client = await openClient({ plan: "starter", openedAt: Date.now() - 40 * 24 * 60 * 60 * 1000 });
    const { data } = await (await client.get("/api/v1/account/invoices")).json();
    const invoice = data.at(-1);
    expect(invoice.status).toBe("closed");
    const response = await client.get(`/api/v1/account/invoices/${encodeURIComponent(invoice.period.start)}/pdf`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="invoice-\d+-[\d-]{10}\.pdf"$/);
    const pdf = readPdf(Buffer.from(await response.arrayBuffer()));
    expect(pdf.sizes).toEqual([[595, 841.9]]);
    expect(pdf.texts[0]).toContain("Invoice");
    expect(pdf.texts[0]).toContain(`$${invoice.total}`);
    expect(pdf.texts[0]).toContain("Screenshots: 0 of 5,000 included");
    expect(await client.logs()).toEqual([]);
  });

  test("shows a name of the account as text", async () => {
    const client = await openClient();
    const owner = await signIn(client.accountId);
    await owner.request("PATCH", "/api/v1/account/settings", { label: "<script>alert(1)</script> & Sons" });
    const { data } = await (await client.get("/api/v1/account/invoices")).json();
    const response = await client.get(`/api/v1/account/invoices/${encodeURIComponent(data[0].period.start)}/pdf`);
    expect(readPdf(Buffer.from(await response.arrayBuffer())).texts[0]).toContain("<script>alert(1)</script> & Sons");
  });
});
