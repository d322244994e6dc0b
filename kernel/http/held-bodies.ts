import { refusals } from '../refusals.ts'

/** Bytes of request bodies that a kernel holds, from their arrival to the end of their handlers. */
export interface BodyLimits {
  /** By all callers together: enough for the largest body of a route several times over. */
  readonly total: number
  /** By one address; a caller whose address is not known has no share of its own. */
  readonly perAddress: number
}

export const bodyLimits: BodyLimits = { total: 256 * 1024 * 1024, perAddress: 128 * 1024 * 1024 }

/** Bytes of a body that may still come while larger ones fill three quarters of a limit. */
const small = 64 * 1024
/** What a part of a body takes beside its bytes: parts of one byte each cost a hundred times what they carry. */
const overhead = 256

/** One body as far as it has arrived. */
export interface HeldBody {
  /** Counts bytes that have arrived, or refuses them with 503 `too_many_bodies`. */
  readonly add: (bytes: number) => void
  /** Counts bytes that are held no longer, while others still are. */
  readonly subtract: (bytes: number) => void
  /** Gives the bytes back, once `work` is over where there is some. */
  release(work: Promise<unknown> | undefined): void
}

/** Makes what counts the bodies of all requests. */
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
    const giveBack = (): void => count(-own)
    return {
      add(arrived) {
        const bytes = arrived + overhead
        const share = own + bytes > small ? 3 / 4 : 1
        const isAddressFull = address !== undefined && heldBy(address) + bytes > perAddress * share
        if (isAddressFull || all + bytes > total * share) throw refusals.tooManyBodies()
        count(bytes)
      },
      subtract: (bytes) => count(-bytes),
      release(work) {
        if (work) void work.then(giveBack, giveBack)
        else giveBack()
      },
    }
  }
}
