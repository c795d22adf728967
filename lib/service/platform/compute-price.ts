// What Lambda's computing time costs, for the estimate in the metrics and for the cost model of the benchmark.

/** Dollars for a gigabyte of a function's memory during a second: x86, first tier. https://aws.amazon.com/lambda/pricing/ */
export const GIGABYTE_SECOND_PRICE = 0.0000166667;
