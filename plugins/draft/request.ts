import { createHash } from 'node:crypto'
import * as v from 'valibot'
import { type Call, findJsonProblem, LRUCache, describedBy } from '../../kernel/index.ts'
import { ManifestDocument, parseManifest } from '../content/manifest.ts'
import type { BlockType, Manifest, Registry } from '../content/model.ts'
import { parsedJson, perObject, explained } from '../content/plain-object.ts'
import { builtinRegistry } from '../content/registry.ts'
import type { DraftId } from '../scope/port.ts'
import type { Sites } from '../sites/port.ts'
import { browserOf } from './actor.ts'
import type { CommitRequest, Expected } from './change.ts'
import { badKey, badPrecondition, invalidField } from './refusals.ts'

type ChangingCall = Pick<Call, 'caller' | 'header'> & { readonly body: unknown }

/** The header with the name of an agent program: at most 64 visible ASCII characters. */
export const clientHeader = 'x-orchestrator-client'

/** The headers of every route that changes a draft. */
export const changeHeaders = {
  'if-match':
    'The version of the draft that the caller saw, such as `"12"`: a change of any other one is refused with 409. `*` stands for any.',
  'idempotency-key':
    'Any 1 to 255 visible ASCII characters: the same request under the same key gets the same answer for 24 hours and changes nothing again.',
  [clientHeader]:
    'States that an agent program acts, by its name in at most 64 visible ASCII characters. The log shows both next to the caller.',
} as const

/**
 * Reads the context of a change from a request: the caller, the base version (`If-Match` or `baseVersion`),
 * and the key of its stored answer (`Idempotency-Key`).
 *
 * Refuses invalid headers with 400 `bad_request`.
 */
export function toCommitContext(
  route: string,
  call: ChangingCall,
  baseVersion?: number,
): Omit<CommitRequest, 'id' | 'edit'> {
  const expect = toExpected(call.header('if-match'), baseVersion)
  const context = { ...toOrigin(call), expect }
  const key = call.header('idempotency-key')
  if (key === undefined) return context
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw badKey()
  const fingerprint = createHash('sha256')
    .update(`${route}\n${JSON.stringify(call.body)}`)
    .digest('base64')
  return { ...context, idempotency: { key, fingerprint } }
}

/**
 * Returns the actor and the channel; a caller with a scoped token is a program. The id is always the
 * caller's: `x-orchestrator-client` only adds that an agent program acts for the caller, and its name.
 */
export function toOrigin({
  caller: { via, id = via, name, limits },
  header,
  body,
}: ChangingCall): Pick<CommitRequest, 'actor' | 'channel'> {
  const client = header(clientHeader)
  const given = typeof body === 'object' && body !== null && 'client' in body ? body.client : undefined
  const browser = given === undefined ? undefined : browserOf(given)
  const by = { id, ...(name !== undefined && { name }), ...(browser && { browser }) }
  if (client === undefined) return { actor: { kind: limits ? 'program' : 'person', ...by }, channel: 'api' }
  return { actor: { kind: 'agent', ...by, ...(clientName.test(client) && { client }) }, channel: 'mcp' }
}

const clientName = /^[\x20-\x7e]{1,64}$/

function toExpected(ifMatch: string | undefined, baseVersion: number | undefined): Expected | undefined {
  if (ifMatch === undefined) return baseVersion
  if (ifMatch.trim() === '*') return baseVersion ?? 'any'
  const version = /^"(\d{1,15})(?:;\d{1,15})?"$/.exec(ifMatch.trim())?.[1]
  if (version === undefined || (baseVersion !== undefined && baseVersion !== Number(version)))
    throw badPrecondition()
  return Number(version)
}

export const SiteCapabilities = v.pipe(
  v.object({
    allowStructuralEdits: v.boolean(),
    manifestStatus: v.picklist(['loading', 'ready', 'degraded']),
    checkedAt: v.string(),
    reason: v.optional(v.string()),
    manifestVersion: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
    blockCount: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  }),
  v.title('SiteCapabilities'),
  v.description('What the site in the editor can do at the moment.'),
)

const objectOrText = (schema: v.GenericSchema) =>
  v.optional(
    v.pipe(v.unknown(), describedBy(v.union([schema, explained(v.string(), 'The same as JSON text.')]))),
  )

/** The declarations of a request about its website; `readManifest` and `readCapabilities` parse them. */
export const siteFields = {
  componentsManifest: objectOrText(ManifestDocument),
  siteCapabilities: objectOrText(SiteCapabilities),
}

/** The maximum number of characters of documents with cached manifests. */
const cacheCharacters = 2 * 1024 * 1024

/** Manifests by the text of their document: an editor sends the same document with every request. */
const manifestsFor = perObject<readonly BlockType[], LRUCache<string, Manifest>>(
  () => new LRUCache({ maxSize: cacheCharacters, sizeCalculation: (_, text) => text.length }),
)

const documentText = perObject((document: object) => JSON.stringify(document))

/**
 * Reads the block types that a site declares, sent as an object or as JSON text. Blank counts as none. A
 * cached document returns the same manifest: derived values are computed once.
 *
 * Refuses an invalid document with 400 `schema_violation` and the path of the error.
 */
export function readManifest(raw: unknown, registry: Registry): Manifest | undefined {
  if (raw === undefined || raw === '') return undefined
  if (raw === null) throw invalidField('componentsManifest', 'leave it out where there is none')
  const manifests = manifestsFor(registry.types())
  const text = typeof raw === 'object' ? documentText(raw) : String(raw)
  const cached = manifests.get(text)
  if (cached) return cached
  const verdict = parseManifest(fromText('componentsManifest', raw), registry)
  if (!verdict.ok)
    throw invalidField(['componentsManifest', verdict.path].filter(Boolean).join('.'), verdict.problem)
  if (verdict.manifest) manifests.set(text, verdict.manifest)
  return verdict.manifest
}

/** Returns the block types that a request declares, else those that the website of its draft declares. */
export const declaredTypes = async (
  raw: unknown,
  id: DraftId,
  sites: Pick<Sites, 'blocks'>,
): Promise<Manifest | undefined> =>
  (raw === undefined ? undefined : readManifest(raw, builtinRegistry)) ??
  readManifest(await sites.blocks(id), builtinRegistry)

/** Reads whether the site allows structural edits; `undefined` if not stated. */
export function readCapabilities(raw: unknown): boolean | undefined {
  if (raw === undefined || raw === '') return undefined
  const parsed = v.safeParse(SiteCapabilities, fromText('siteCapabilities', raw))
  if (parsed.success) return parsed.output.allowStructuralEdits
  const [issue] = parsed.issues
  throw invalidField(
    ['siteCapabilities', v.getDotPath(issue)].filter(Boolean).join('.'),
    `expected ${issue.expected}`,
  )
}

function fromText(field: string, raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  const output = parsedJson(raw)
  if (output === undefined) throw invalidField(field, 'this text is not JSON')
  const problem = findJsonProblem(output)
  if (problem !== undefined) throw invalidField(field, problem)
  return output
}
