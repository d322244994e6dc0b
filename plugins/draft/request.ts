import { createHash } from 'node:crypto'
import type { Call } from '../../kernel/index.ts'
import type { CommitRequest, Expected } from './change.ts'
import { badKey, badPrecondition } from './refusals.ts'

type ChangingCall = Pick<Call, 'id' | 'caller' | 'header'> & { readonly body: unknown }

/** The header by which a client of agents says that one acts, with its name in at most 64 visible ASCII characters. */
export const clientHeader = 'x-orchestrator-client'

/** The headers that every route which changes a draft reads. */
export const changeHeaders = {
  'if-match': 'The version of the draft that the caller saw, such as `"12"`: a change of any other one is refused with 409. `*` stands for any.',
  'idempotency-key':
    'Any 1 to 255 visible ASCII characters: the same request under the same key gets the same answer for 24 hours and changes nothing again.',
  [clientHeader]: 'Says that a program of an agent acts, by its name in at most 64 visible ASCII characters. The log shows both beside the caller.',
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
    ...toOrigin(call),
    requestId: call.id,
    expect: toExpected(call.header('if-match'), baseVersion),
    idempotency: key === undefined ? undefined : { key: toKey(key), fingerprint: fingerprintOf(route, call.body) },
  }
}

/**
 * Who asks, and by which way. The id is always that of the caller: `x-orchestrator-client` only says that a program acts for
 * it, and what that calls itself.
 */
function toOrigin({ caller: { via, id = via }, header }: ChangingCall): Pick<CommitRequest, 'actor' | 'channel'> {
  const client = header(clientHeader)
  if (client === undefined) return { actor: { kind: 'person', id }, channel: 'api' }
  return { actor: { kind: 'agent', id, ...(clientName.test(client) && { client }) }, channel: 'mcp' }
}

const clientName = /^[\x20-\x7e]{1,64}$/

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
