import * as v from 'valibot'
import { findJsonProblem } from '../../../kernel/index.ts'
import { isPlainObject } from '../../content/plain-object.ts'
import type { SiteContext } from '../planners/planner.ts'
import type { ChatRequest } from '../request.ts'

const text = v.fallback(v.optional(v.string()), undefined)
const Context = v.object({
  siteName: text,
  gdriveFolderId: text,
  purpose: text,
  tone: text,
  constraints: v.fallback(v.optional(v.array(v.string())), undefined),
  pageTemplates: v.fallback(v.optional(v.array(v.object({ name: v.string(), description: v.string() }))), undefined),
})

/**
 * What a request says of its site, in the newer field and in the two older ones; the newer one counts where both speak.
 * What cannot be read is left out: it is a help for planners, and no more.
 */
export function readSiteContext({ siteContext, businessContext, sitePurpose }: ChatRequest): SiteContext {
  const [newer, older] = [siteContext, businessContext].map((raw) => v.parse(Context, toObject(raw)))
  return { purpose: sitePurpose, ...withoutUndefined(older), ...withoutUndefined(newer) }
}

/** An object, or one as JSON text; anything else is an empty one. */
function toObject(raw: unknown): object {
  const value = typeof raw === 'string' ? parsed(raw) : raw
  return isPlainObject(value) && findJsonProblem(value) === undefined ? value : {}
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}

const withoutUndefined = (context: SiteContext = {}): SiteContext => Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined))
