import { refusals } from '../refusals.ts'

/** Limits of the bytes of request bodies in memory, from their arrival until their handlers end. */
export interface BodyLimits {
  /** For all callers together: several times the largest body of a route. */
  readonly total: number
  /** For one address; callers without a known address have no separate limit. */
  readonly perAddress: number
}

export const bodyLimits: BodyLimits = { total: 256 * 1024 * 1024, perAddress: 128 * 1024 * 1024 }

/** The maximum size of a body that may still arrive while larger ones fill three quarters of a limit. */
const smallBytes = 64 * 1024
/** The memory overhead per chunk of a body, in bytes: chunks of one byte take a hundred times their size. */
const overheadBytes = 256

/** The bytes of one body that have arrived. */
export interface HeldBody {
  /** Counts arrived bytes, or refuses them with 503 `too_many_bodies`. */
  readonly add: (bytes: number) => void
  /** Subtracts bytes that are already released. */
  readonly subtract: (bytes: number) => void
  /** Subtracts the rest, after `work` if given. */
  release(work: Promise<unknown> | undefined): void
}

/** Creates the counter of the body bytes of all requests. */
export function createHeldBodies(limits: BodyLimits = bodyLimits): (address: string | undefined) => HeldBody {
  const { total, perAddress } = limits
  const byAddress = new Map<string, number>()
  const heldBy = (address: string): number => byAddress.get(address) ?? 0
  let all = 0
  return (address) => {
    let own = 0
    const count = (change: number): void => {
      own += change
      all += change
      if (address === undefined) return
      const held = heldBy(address) + change
      if (held > 0) byAddress.set(address, held)
      else byAddress.delete(address)
    }
    const releaseAll = (): void => count(-own)
    return {
      add(received) {
        const bytes = received + overheadBytes
        const share = own + bytes > smallBytes ? 3 / 4 : 1
        const isAddressFull = address !== undefined && heldBy(address) + bytes > perAddress * share
        if (isAddressFull || all + bytes > total * share) throw refusals.tooManyBodies()
        count(bytes)
      },
      subtract: (bytes) => count(-bytes),
      release(work) {
        if (work) void work.then(releaseAll, releaseAll)
        else releaseAll()
      },
    }
  }
}
