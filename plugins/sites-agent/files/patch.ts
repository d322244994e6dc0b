const mostLines = 400

/** The lines that differ between two versions of a file, from the first to the last one, the old before the new. */
export function toPatch(before: Buffer | undefined, after: Buffer | undefined): string {
  if (isBinary(before) || isBinary(after)) return `(binary, ${after?.length ?? 0} bytes)`
  const old = toLines(before)
  const next = toLines(after)
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let end = 0
  while (end < old.length - start && end < next.length - start && old.at(-1 - end) === next.at(-1 - end)) end++
  const lines = [
    ...old.slice(start, old.length - end).map((line) => `-${line}`),
    ...next.slice(start, next.length - end).map((line) => `+${line}`),
  ]
  const shown = lines.slice(0, mostLines)
  return [`@@ line ${start + 1} @@`, ...shown, ...(lines.length > mostLines ? [`… ${lines.length - mostLines} more lines`] : [])].join('\n')
}

const isBinary = (bytes: Buffer | undefined): boolean => bytes?.subarray(0, 8_000).includes(0) ?? false

const toLines = (bytes: Buffer | undefined): readonly string[] => (bytes === undefined ? [] : bytes.toString('utf8').split('\n'))
