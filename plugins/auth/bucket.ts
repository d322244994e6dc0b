import * as v from 'valibot'

/** A bucket of at most ten attempts, which refills over time. */
export const Bucket = v.object({
  /** The attempts left, with fractions. */
  left: v.number(),
  /** The time of `left`, in epoch milliseconds. */
  at: v.number(),
  /** Wrong guesses since the last right one, or since the bucket was last full. */
  wrong: v.number(),
})
export type Bucket = Readonly<v.InferOutput<typeof Bucket>>

export interface Pace {
  /** Milliseconds until one more attempt. */
  readonly every: number
  /** True if each wrong guess after the first ten doubles `every`. */
  readonly backOff: boolean
}

const capacity = 10
/** The maximum number of doublings. */
const mostDoublings = 6

function interval({ wrong }: Bucket, { every, backOff }: Pace): number {
  return backOff ? every * 2 ** Math.min(Math.max(wrong - capacity, 0), mostDoublings) : every
}

/** Returns the current state of a bucket; a full one has no wrong guesses. */
export function refilled(bucket: Bucket | undefined, now: number, pace: Pace): Bucket {
  if (!bucket) return { left: capacity, at: now, wrong: 0 }
  const left = bucket.left + Math.max(0, now - bucket.at) / interval(bucket, pace)
  return left >= capacity ? { left: capacity, at: now, wrong: 0 } : { ...bucket, left, at: now }
}

/** Returns the milliseconds until the next attempt; 0 if one is available. */
export function waitFor(bucket: Bucket, pace: Pace): number {
  return bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * interval(bucket, pace))
}

/** Takes an attempt, which counts as wrong unless it is {@link givenBack}. */
export function taken(bucket: Bucket): Bucket {
  return { ...bucket, left: bucket.left - 1, wrong: bucket.wrong + 1 }
}

/** Returns an attempt after the right password. */
export function givenBack(bucket: Bucket): Bucket {
  return { ...bucket, left: Math.min(capacity, bucket.left + 1), wrong: 0 }
}
