import { defineRefusal, Refusal } from '../../kernel/index.ts'

/** Refuses a write that expected another version; `current` is the stored version, `0` for none. */
export const versionMismatch = defineRefusal({
  status: 409,
  code: 'version_mismatch',
  reason: (expected: number, current: number) =>
    current === 0
      ? `This is not there any more: version ${expected} was expected. Read again and repeat the change.`
      : expected === 0
        ? `This exists already, at version ${current}. Read it and repeat the change upon it.`
        : `This was changed meanwhile: version ${expected} was expected, ${current} is stored. ` +
          'Read it again and repeat the change.',
  extra: (_expected, currentVersion) => ({ currentVersion }),
})

/** Refuses text in a scope, a key or a column that some databases cannot store unchanged. */
export const textNotStorable = defineRefusal({
  status: 400,
  code: 'text_not_storable',
  reason: () =>
    'Text to be stored must not contain U+0000 or half of a surrogate pair; ' +
    'remove the character and send it again.',
})

/** Refuses while the engine fails. The cause is for the log, the sentence for the caller. */
export function storeUnavailable(reason: string, cause?: unknown): Refusal {
  const parts = { status: 503, code: 'store_unavailable', reason, headers: { 'retry-after': '5' } }
  return new Refusal(parts, cause === undefined ? undefined : { cause })
}
