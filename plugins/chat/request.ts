import * as v from 'valibot'
import { ManifestDocument } from '../content/manifest.ts'
import { describedBy } from '../../kernel/index.ts'
import { Client, SiteCapabilities } from '../draft/port.ts'
import { RequiredSlug, SiteId } from '../scope/port.ts'
import { executionModes, Tier } from './result.ts'

const text = v.optional(v.string())
const texts = v.optional(v.array(v.string()))
const asText = v.pipe(v.string(), v.description('The same as JSON text.'))
/** An object, or the same as JSON text; read by the stage that needs it. */
const orText = (schema: v.GenericSchema) =>
  v.optional(v.pipe(v.unknown(), describedBy(v.union([schema, asText]))))
/** Like `orText`, but unreadable text is ignored, since it only helps planners. */
const contextOf = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.optional(
    v.union(
      [v.object(entries), asText],
      'must be an object with the fields that the API description names, or one as JSON text',
    ),
  )

const BusinessContext = contextOf({ purpose: text, tone: text, constraints: texts })
const SiteContext = contextOf({
  siteId: text,
  siteName: text,
  purpose: text,
  hosting: text,
  tone: text,
  constraints: texts,
  gdriveFolderId: text,
  pageTemplates: v.optional(v.array(v.object({ name: v.string(), description: v.string() }))),
})

const wanted = 'must be the number of an operation, a whole number from 1'
const OpNumber = v.pipe(v.number(wanted), v.integer(wanted), v.minValue(1, wanted))

/** The maximum size of a request, in bytes. */
export const mostRequestBytes = 512 * 1024

/** The response of `POST /attachment/upload`. */
const Attachment = v.pipe(
  v.object({ url: text, mimeType: v.string(), name: text, originalName: text, text }),
  v.transform(({ originalName, name = originalName, ...attachment }) => ({ ...attachment, name })),
)

const Fields = v.object({
  session: text,
  siteId: SiteId,
  client: Client,
  /** Required unless `executionMode` is `apply_pending_plan` or `discard_pending_plan`: the plan names its page. */
  slug: v.optional(RequiredSlug),
  /** Required when `executionMode` is `auto` or `plan_only`. */
  message: text,
  locale: text,
  modelKey: v.optional(Tier),
  /** A provider listed by `GET /status/planner`; any other is ignored. */
  provider: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(100))),
  activeBlockId: text,
  activeBlockType: text,
  activeEditablePath: text,
  executionMode: v.optional(v.picklist(executionModes), 'auto'),
  pendingPlanId: text,
  /** With `apply_pending_plan`: the operations to apply, by their numbers from 1. */
  acceptedOps: v.optional(v.array(OpNumber)),
  componentsManifest: orText(ManifestDocument),
  siteCapabilities: orText(SiteCapabilities),
  sitePurpose: text,
  siteHosting: text,
  businessContext: BusinessContext,
  siteContext: SiteContext,
  attachments: v.optional(v.pipe(v.array(Attachment), v.maxLength(4, 'may have at most 4 entries'))),
})

const required = (name: string) => v.pipe(v.string(), v.trim(), v.nonEmpty(`${name} is required`))

const namesAPlan: ReadonlySet<string> = new Set(['apply_pending_plan', 'discard_pending_plan'])

const hasPlace = ({ executionMode, slug }: v.InferOutput<typeof Fields>): boolean =>
  slug !== undefined || namesAPlan.has(executionMode)

/** One message of a person, and the state of their editor. Undeclared fields are dropped. */
export const ChatRequest = v.pipe(
  Fields,
  v.forward(
    v.check((request) => hasPlace(request), 'slug is required'),
    ['slug'],
  ),
  v.examples([{ siteId: 'demo', slug: '/', message: 'Which pages are there?', executionMode: 'auto' }]),
)
export type ChatRequest = v.InferOutput<typeof ChatRequest>

/** A request to park, which needs a message and names its session: its stream belongs to that. */
export const StartRequest = v.pipe(
  v.object({ ...Fields.entries, session: required('session') }),
  v.forward(
    v.check((request) => hasPlace(request), 'slug is required'),
    ['slug'],
  ),
  v.forward(
    v.check(
      ({ executionMode, message = '' }) =>
        !['auto', 'plan_only'].includes(executionMode) || message.trim() !== '',
      'message is required',
    ),
    ['message'],
  ),
  v.examples([
    {
      session: 'dev',
      siteId: 'demo',
      slug: '/',
      message: 'Change the heading of the hero to "Fresh every morning"',
      executionMode: 'auto',
    },
  ]),
)

/** A request whose page is known. */
export type PlacedRequest = ChatRequest & { readonly slug: string }

/** A message that asks for variations of one block. */
export const VariationRequest = v.object({
  ...v.omit(Fields, ['executionMode', 'pendingPlanId', 'acceptedOps', 'attachments']).entries,
  slug: RequiredSlug,
  message: v.pipe(required('message'), v.examples(['Give me three shorter variations'])),
  activeBlockId: v.pipe(required('activeBlockId'), v.examples(['b_hero_home'])),
})
export type VariationRequest = v.InferOutput<typeof VariationRequest>
