import { createHash, createHmac } from 'node:crypto'
import * as v from 'valibot'
import { safeEqual } from '../../kernel/index.ts'
import { defineCollection, type Transaction, trusted } from '../store/port.ts'
import { refusals } from './refusals.ts'
import { isProjectAllowed, type Mode, modes } from './routing.ts'
import { IssueKey, type ProcessBody, WebhookEvent } from './schemas.ts'

/** Reads a message of Jira. Refuses with 400 `invalid_webhook` one that names no ticket. */
export function readWebhook(payload: unknown): WebhookEvent {
  const parsed = v.safeParse(WebhookEvent, payload)
  if (!parsed.success) throw refusals.invalidWebhook()
  return parsed.output
}

/** Reads what is to be worked on now. Refuses with 400 a key that is none, another mode, and a project that is not looked after. */
export function readProcess({ issueKey, mode }: ProcessBody, projects: ReadonlySet<string>): { readonly issueKey: string; readonly mode: Mode } {
  const key = v.safeParse(IssueKey, issueKey)
  if (!key.success) throw refusals.issueKeyRequired()
  const wanted = mode === undefined ? 'review' : modes.find((each) => each === mode)
  if (!wanted) throw refusals.invalidMode()
  if (!isProjectAllowed(key.output, projects)) throw refusals.projectNotAllowed()
  return { issueKey: key.output, mode: wanted }
}

/** Messages of Jira that were taken, by a hash of their name. */
const deliveries = defineCollection('jira_deliveries', trusted<Readonly<Record<never, never>>>(), { columns: { at: 'integer' }, indexes: ['at'] })

const keptMs = 24 * 60 * 60 * 1000
const most = 1_000
const scope = 'webhook'

/** The name of a message: its identifier, which stays the same when Jira repeats it; without one what it says. */
export function deliveryKey(identifier: string | undefined, body: Uint8Array): string {
  const hash = createHash('sha256')
  return (identifier ? hash.update(`identifier ${identifier}`) : hash.update(body)).digest('hex')
}

/** Remembers a message for 24 hours, among the newest 1,000; says whether it is a new one. */
export async function remember(tx: Transaction, key: string, now: number): Promise<boolean> {
  const known = tx.of(deliveries)
  const before = await known.get(scope, key)
  if (before && before.columns.at > now - keptMs) return false
  await known.put(scope, key, { body: {}, columns: { at: now } })
  const surplus = (await known.count(scope)) - most
  const oldest = await known.rows(scope, { orderBy: 'at', limit: Math.max(surplus, 1) })
  for (const [place, { key: old, columns }] of oldest.entries()) if (place < surplus || columns.at <= now - keptMs) await known.remove(scope, old)
  return true
}

/** Says whether a message was signed with the secret: an HMAC with SHA-256 over its bytes, as Jira Cloud makes it. */
export function isSignedWith(secret: string, header: string | undefined, body: Uint8Array): boolean {
  return safeEqual(header ?? '', `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
}
