import { createHash } from 'node:crypto'
import type { Call } from '../../kernel/index.ts'
import type { Actor, CommitRequest, Expected } from './port.ts'
import { badKey, badPrecondition } from './refusals.ts'

type ChangingCall = Pick<Call, 'id' | 'caller' | 'header'> & { readonly body: unknown }

/** The headers that every route which changes a draft reads. */
export const changeHeaders = {
  'if-match': 'The version of the draft that the caller saw, such as `"12"`: a change of any other one is refused with 409. `*` stands for any.',
  'idempotency-key':
    'Any 1 to 255 visible ASCII characters: the same request under the same key gets the same answer for 24 hours and changes nothing again.',
} as const

/**
 * What a request says about the change it asks for, beside the change itself: who asks, the version it builds on
 * (`If-Match` or `baseVersion`), and the key under which its answer is kept (`Idempotency-Key`).
 *
 * Refuses with 400 `bad_request` what it cannot read.
 */
export function toCommitContext(route: string, call: ChangingCall, baseVersion?: number): Omit<CommitRequest, 'id' | 'edit'> {
  const key = call.header('idempotency-key')
  return {
    actor: toActor(call.caller),
    channel: 'api',
    requestId: call.id,
    expect: toExpected(call.header('if-match'), baseVersion),
    idempotency: key === undefined ? undefined : { key: toKey(key), fingerprint: fingerprintOf(route, call.body) },
  }
}

function toActor({ via, id }: Call['caller']): Actor {
  return { kind: 'person', id: id ?? via }
}

function toExpected(ifMatch: string | undefined, baseVersion: number | undefined): Expected | undefined {
  if (ifMatch === undefined) return baseVersion
  if (ifMatch.trim() === '*') return baseVersion ?? 'any'
  const version = /^"(\d{1,15})"$/.exec(ifMatch.trim())?.[1]
  if (version === undefined || (baseVersion !== undefined && baseVersion !== Number(version))) throw badPrecondition()
  return Number(version)
}

function toKey(key: string): string {
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw badKey()
  return key
}

function fingerprintOf(route: string, body: unknown): string {
  return createHash('sha256').update(`${route}\n${JSON.stringify(body)}`).digest('base64')
}
