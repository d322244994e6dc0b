import * as v from 'valibot'
import { defineTool, expected, Failed, type Given, optionalSlug, requestTool, text, type Tool, type Toolbox } from './tool.ts'

const Taken = v.looseObject({ base64: v.string(), mimeType: v.string() })

/** Takes a picture of a page, and gives it beside the facts about it. */
export async function takePicture(ask: Toolbox['ask'], json: Readonly<Record<string, unknown>>, timeoutMs?: number): Promise<Given> {
  const answer = await ask({ method: 'POST', path: '/preview/screenshot', json, ...(timeoutMs !== undefined && { timeoutMs }) })
  const { base64: data, ...facts } = expected(Taken, answer.json)
  return { json: facts, picture: { data, mimeType: facts.mimeType } }
}

export const screenshotTool: Tool = defineTool({
  name: 'screenshot-page',
  description: 'Takes a picture of a page, of its draft or as it is published.',
  input: v.object({ slug: optionalSlug, published: v.optional(v.boolean(), false), previewUrl: text('Where the site is, in place of what it registered.') }),
  reads: true,
  open: true,
  byDefault: true,
  long: true,
  routes: ['POST /preview/screenshot'],
  run: (json, { ask }) => takePicture(ask, json),
})

const chatMs = 180_000
const pictureMs = 8_000

const asked = {
  message: v.pipe(v.string(), v.nonEmpty('must say what to change')),
  slug: optionalSlug,
  locale: v.optional(v.picklist(['en', 'de'])),
  activeBlockId: text('The block that the message is about.'),
}
const screenshot = v.optional(v.pipe(v.boolean(), v.description('Whether to take a picture of the page afterwards.')), true)

const Outcome = v.object({ status: v.string(), undoSlug: v.optional(v.string()), mentionedSlugs: v.optional(v.array(v.string()), []) })

/** Sends a message to chat, and takes a picture of what it changed. */
async function talk(json: Readonly<Record<string, unknown>>, withPicture: boolean, { ask }: Toolbox): Promise<Given> {
  const answer = await ask({ method: 'POST', path: '/chat', json, timeoutMs: chatMs })
  const outcome = v.safeParse(Outcome, answer.json)
  const slug = outcome.success && outcome.output.status === 'applied' ? (outcome.output.undoSlug ?? outcome.output.mentionedSlugs[0]) : undefined
  if (!withPicture || slug === undefined) return { json: answer.json }
  try {
    const { picture } = await takePicture(ask, { slug }, pictureMs)
    return { json: answer.json, ...(picture && { picture }) }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { json: answer.json, note: 'There is no screenshot: the page could not be photographed in time.' }
  }
}

/** Tools that hand a message to the planner of the service. */
export const chatTools: readonly Tool[] = [
  defineTool({
    name: 'chat-plan',
    description: 'Changes the draft as a message in plain words says.',
    input: v.object({ ...asked, screenshot }),
    destructive: true,
    long: true,
    needs: 'delete',
    routes: ['POST /chat'],
    run: ({ screenshot: withPicture, slug = '/', ...json }, box) => talk({ ...json, slug }, withPicture, box),
  }),
  requestTool({
    name: 'preview-plan',
    description: 'Plans what a message asks for, and changes nothing: the plan waits.',
    input: v.object(asked),
    long: true,
    route: 'POST /chat',
    request: ({ slug = '/', ...json }) => ({ json: { ...json, slug, executionMode: 'plan_only' }, timeoutMs: chatMs }),
  }),
  defineTool({
    name: 'approve-pending-plan',
    description: 'Applies the plan that waits.',
    input: v.object({ pendingPlanId: v.pipe(v.string(), v.nonEmpty()), screenshot }),
    destructive: true,
    long: true,
    needs: 'delete',
    routes: ['POST /chat'],
    run: ({ screenshot: withPicture, pendingPlanId }, box) => talk({ executionMode: 'apply_pending_plan', pendingPlanId }, withPicture, box),
  }),
  requestTool({
    name: 'discard-pending-plan',
    description: 'Drops the plan that waits.',
    input: v.object({}),
    route: 'POST /chat',
    request: () => ({ json: { executionMode: 'discard_pending_plan' }, timeoutMs: chatMs }),
  }),
]
