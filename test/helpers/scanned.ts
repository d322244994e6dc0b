/** Counts the characters and bytes that `indexOf` and regular expressions read during `run`, each as often as it is read. */
export function scannedBy(run: () => void): number {
  let scanned = 0
  const originals: (() => void)[] = []
  const replace = <K extends string, T>(prototype: Readonly<Record<K, T>>, name: K, method: T): void => {
    const original = prototype[name]
    originals.push(() => void Object.assign(prototype, { [name]: original }))
    Object.assign(prototype, { [name]: method })
  }
  for (const prototype of [String.prototype, Uint8Array.prototype]) {
    const search: (needle: never, from?: number) => number = prototype.indexOf
    replace(prototype, 'indexOf', function (this: string | Uint8Array, needle: never, from = 0) {
      const found = search.call(this, needle, from)
      scanned += (found < 0 ? this.length : found) - from + 1
      return found
    })
  }
  const { exec } = RegExp.prototype
  replace(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const found = exec.call(this, text)
    const unfound = this.sticky ? from : text.length
    scanned += (found ? found.index + found[0].length : unfound) - from + 1
    return found
  })
  try {
    run()
  } finally {
    for (const restore of originals) restore()
  }
  return scanned
}
