/** A name server for tests. */
export interface FakeDns {
  readonly resolve: (hostname: string) => Promise<readonly string[]>
  /** Every name that was asked for, in order. */
  readonly asked: readonly string[]
}

/** Answers the first query with the first answer and so on, whatever the name; the last answer then stays. */
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

/** Knows the names it is given and no others. */
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
