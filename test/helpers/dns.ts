/** A name server for tests. */
export interface FakeDns {
  readonly resolve: (hostname: string) => Promise<readonly string[]>
  /** Every requested name, in order. */
  readonly asked: readonly string[]
}

/** Gives one answer after the other, for any name, and repeats the last one. */
export function flippingDns(...answers: readonly (readonly string[])[]): FakeDns {
  const asked: string[] = []
  return {
    asked,
    async resolve(hostname) {
      asked.push(hostname)
      return answers[Math.min(asked.length, answers.length) - 1] ?? []
    },
  }
}

/** Resolves these names only. */
export function fakeDns(names: Readonly<Record<string, readonly string[]>>): FakeDns {
  const asked: string[] = []
  return {
    asked,
    async resolve(hostname) {
      asked.push(hostname)
      const addresses = names[hostname]
      if (!addresses) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' })
      return addresses
    },
  }
}

/** A name server that never answers. */
export const silentDns: FakeDns = { asked: [], resolve: () => new Promise(() => undefined) }
