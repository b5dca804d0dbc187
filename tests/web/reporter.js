/** Prints each test on a line, what failed in full, and the counts at the end. */

/** @typedef {{type: string, data: any}} Happening */

/** @param {AsyncIterable<Happening>} happenings */
export default async function* report(happenings) {
  const began = Date.now();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for await (const { type, data } of happenings) {
    if (type === "test:stderr" || type === "test:stdout") yield data.message;
    if (
      (type !== "test:pass" && type !== "test:fail") ||
      data.details?.type === "suite"
    )
      continue;
    const outcome =
      data.skip !== undefined
        ? "skipped"
        : type === "test:pass"
          ? "passed"
          : "failed";
    counts[outcome]++;
    yield `${outcome}  ${data.name} (${Math.round(data.details.duration_ms)} ms)\n`;
    if (outcome === "failed")
      yield `${data.details.error?.cause?.stack ?? data.details.error?.message}\n`;
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  yield `Web table: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped in ${seconds} s\n`;
}
