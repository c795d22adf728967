// Which mailbox an e-mail address names, and whose domain it has, for the limits of trials and codes.
import { expect, test } from "vitest";
import { mailboxOf, ownedDomain } from "../../../lib/service/mail/addresses.ts";

test.each([
  ["ann@customer.example", "customer.example"],
  ["ann@Mail.Customer.example", "customer.example"],
  ["ann@a.b.c.customer.example", "customer.example"],
  ["ann@customer.example.", "customer.example"],
  ["ann@customer.co.uk", "customer.co.uk"],
  ["ann@mail.customer.com.au", "customer.com.au"],
  ["ann@mail.abc.io", "abc.io"],
  ["ann@m1.ab.com", "ab.com"],
  ["ann@gmail.com", undefined],
  ["ann@Gmail.com.", undefined],
  ["ann@yahoo.co.uk", undefined],
  ["ann@gmail.example", "gmail.example"],
  ["ann@user.fastmail.com", "fastmail.com"],
  ["ann@a.me.com", "me.com"],
  ["ann@a.gmx.de", "gmx.de"],
  ["ann@a.yahoo.co.uk", "yahoo.co.uk"],
])("addresses: %s belongs to the owner of %s", (address, domain) => {
  expect(ownedDomain(address)).toBe(domain);
});

test.each([
  ["ann@customer.example", ["Ann@Customer.example", "ann+tag@customer.example", "ann@customer.example."]],
  ["annlee@gmail.com", ["ann.lee@gmail.com", "a.n.n.lee+x@googlemail.com"]],
  ["annlee@proton.me", ["ann.lee@pm.me", "ann_lee@protonmail.com", "Ann-Lee+tag@protonmail.ch"]],
  ["ann.lee@icloud.com", ["ann.lee@me.com", "ann.lee+tag@mac.com"]],
  ["annlee@yandex.ru", ["ann.lee@ya.ru", "ann-lee@yandex.com", "ann.lee+tag@yandex.com.tr", "ann-lee@yandex.kz"]],
  ["ann@yahoo.com", ["ann-shop@yahoo.com", "ann-shop-2@yahoo.com", "ann+tag@yahoo.com"]],
  ["ann@yahoo.co.uk", ["ann-shop@yahoo.co.uk"]],
  [
    "ann@fastmail.com",
    ["shop@ann.fastmail.com", "x+y@Ann.fastmail.com", "ann+tag@fastmail.com", "x@a.ann.fastmail.com"],
  ],
  ["ann@sent.com", ["shop@ann.sent.com"]],
])("addresses: %s is the mailbox of %j", (mailbox, addresses) => {
  expect([...new Set([mailbox, ...addresses].map(mailboxOf))]).toEqual([mailbox]);
});

test("addresses: of people who can be different, no two are one mailbox", () => {
  const addresses = [
    ...[
      "ann@outlook.com",
      "ann@hotmail.com",
      "ann@live.com",
      "ann@gmx.de",
      "ann@gmx.net",
      "ann@yahoo.com",
      "ann@ymail.com",
    ],
    ...["ann@fastmail.com", "ann@fastmail.fm", "ann.lee@outlook.com", "ann-lee@outlook.com", "annlee@outlook.com"],
    ...["ann@customer.example", "ann@mail.customer.example", "ann-lee@customer.example", "ann@notfastmail.com"],
  ];
  expect(new Set(addresses.map(mailboxOf)).size).toBe(addresses.length);
});
