// Whose domain an e-mail address has, for the limit of trials.
import { expect, test } from "vitest";
import { ownedDomain } from "../../../lib/service/mail/addresses.ts";

test.each([
  ["ann@customer.example", "customer.example"],
  ["ann@Mail.Customer.example", "customer.example"],
  ["ann@a.b.c.customer.example", "customer.example"],
  ["ann@customer.co.uk", "customer.co.uk"],
  ["ann@mail.customer.com.au", "customer.com.au"],
  ["ann@gmail.com", undefined],
  ["ann@yahoo.co.uk", undefined],
  ["ann@gmail.example", "gmail.example"],
])("addresses: %s belongs to the owner of %s", (address, domain) => {
  expect(ownedDomain(address)).toBe(domain);
});
