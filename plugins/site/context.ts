import type { PublishContext } from './port.ts'

/** Makes the context of a publish handler; those of older releases find the baseline as `published` too. */
export function createPublishContext(parts: Omit<PublishContext, 'published'>): PublishContext {
  return {
    ...parts,
    get published() {
      return parts.baseline
    },
  }
}
