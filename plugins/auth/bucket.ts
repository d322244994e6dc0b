import * as v from 'valibot'

/** A bucket of attempts: it holds ten, and gets one more every so often. */
export const Bucket = v.object({
  /** Attempts left, with fractions. */
  left: v.number(),
  /** Epoch milliseconds at which that was so. */
  at: v.number(),
  /** Wrong guesses since the last right one, or since the bucket was last full. */
  wrong: v.number(),
})
export type Bucket = Readonly<v.InferOutput<typeof Bucket>>

const capacity = 10
/** Five a minute. */
const refillEvery = 12_000
/** Doublings of that time at most: one attempt in thirteen minutes. */
const mostDoublings = 6

/** Milliseconds for one more attempt. With back-off each wrong guess after the first ten doubles them. */
function interval({ wrong }: Bucket, backOff: boolean): number {
  return backOff ? refillEvery * 2 ** Math.min(Math.max(wrong - capacity, 0), mostDoublings) : refillEvery
}

/** The bucket as it is now; a full one has forgotten all wrong guesses. */
export function refilled(bucket: Bucket | undefined, now: number, backOff: boolean): Bucket {
  if (!bucket) return { left: capacity, at: now, wrong: 0 }
  const left = bucket.left + Math.max(0, now - bucket.at) / interval(bucket, backOff)
  return left >= capacity ? { left: capacity, at: now, wrong: 0 } : { ...bucket, left, at: now }
}

/** Milliseconds until the next attempt; 0 when there is one now. */
export function waitFor(bucket: Bucket, backOff: boolean): number {
  return bucket.left >= 1 ? 0 : Math.ceil((1 - bucket.left) * interval(bucket, backOff))
}

/** Takes an attempt and counts it as wrong until {@link givenBack} says otherwise. */
export function taken(bucket: Bucket): Bucket {
  return { ...bucket, left: bucket.left - 1, wrong: bucket.wrong + 1 }
}

/** Gives an attempt back that turned out right. */
export function givenBack(bucket: Bucket): Bucket {
  return { ...bucket, left: Math.min(capacity, bucket.left + 1), wrong: 0 }
}
