import * as v from 'valibot'
import { Screenshot } from '../../preview/port.ts'
import {
  defineTool,
  expected,
  Failed,
  type ToolOutput,
  optionalSlug,
  requestTool,
  text,
  type Tool,
  type Toolbox,
} from './tool.ts'

/** Takes a screenshot of a page. */
async function takePicture(
  ask: Toolbox['ask'],
  json: Readonly<Record<string, unknown>>,
  timeoutMs?: number,
): Promise<ToolOutput> {
  const answer = await ask({
    method: 'POST',
    path: '/preview/screenshot',
    json,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  const { base64: data, ...facts } = expected(Screenshot, answer.json)
  return { json: facts, picture: { data, mimeType: facts.mimeType } }
}

export const screenshotTool: Tool = defineTool({
  name: 'screenshot-page',
  routes: ['POST /preview/screenshot'],
  reads: true,
  open: true,
  byDefault: true,
  long: true,
  description: 'Takes a screenshot of a page: its draft, or the published version.',
  input: v.object({
    slug: optionalSlug,
    published: v.optional(v.boolean(), false),
    previewUrl: text('The address of the site; default: the registered one.'),
  }),
  output: v.omit(Screenshot, ['base64']),
  run: (json, { ask }) => takePicture(ask, json),
})

const chatMs = 180_000
const pictureMs = 8_000

const messageInput = {
  message: v.pipe(v.string(), v.nonEmpty('must describe the change')),
  slug: optionalSlug,
  locale: v.optional(v.picklist(['en', 'de'])),
  activeBlockId: text('The block that the message is about.'),
}
const screenshot = v.optional(
  v.pipe(v.boolean(), v.description('Whether to take a screenshot of the page afterwards.')),
  true,
)

const Outcome = v.object({
  status: v.string(),
  undoSlug: v.optional(v.string()),
  mentionedSlugs: v.optional(v.array(v.string()), []),
})

/** Sends a message to chat, and takes a screenshot of the changed page. */
async function sendMessage(
  json: Readonly<Record<string, unknown>>,
  withPicture: boolean,
  { ask }: Toolbox,
): Promise<ToolOutput> {
  const answer = await ask({ method: 'POST', path: '/chat', json, timeoutMs: chatMs })
  const outcome = v.safeParse(Outcome, answer.json)
  const slug =
    outcome.success && outcome.output.status === 'applied'
      ? (outcome.output.undoSlug ?? outcome.output.mentionedSlugs[0])
      : undefined
  if (!withPicture || slug === undefined) return { json: answer.json }
  try {
    const { picture } = await takePicture(ask, { slug }, pictureMs)
    return { json: answer.json, ...(picture && { picture }) }
  } catch (error) {
    if (!(error instanceof Failed)) throw error
    return { json: answer.json, note: 'There is no screenshot: it could not be taken in time.' }
  }
}

/** Tools that send a message to the planner of the service. */
export const chatTools: readonly Tool[] = [
  defineTool({
    name: 'chat-plan',
    routes: ['POST /chat'],
    needs: 'delete',
    destructive: true,
    long: true,
    description: 'Changes the draft as a message in plain words asks.',
    input: v.object({ ...messageInput, screenshot }),
    run: ({ screenshot: withPicture, slug = '/', ...json }, box) =>
      sendMessage({ ...json, slug }, withPicture, box),
  }),
  requestTool({
    name: 'preview-plan',
    route: 'POST /chat',
    long: true,
    description: 'Plans what a message asks for without changing anything; the plan is kept as pending.',
    input: v.object(messageInput),
    request: ({ slug = '/', ...json }) => ({
      json: { ...json, slug, executionMode: 'plan_only' },
      timeoutMs: chatMs,
    }),
  }),
  defineTool({
    name: 'approve-pending-plan',
    routes: ['POST /chat'],
    needs: 'delete',
    destructive: true,
    long: true,
    description: 'Applies the pending plan.',
    input: v.object({ pendingPlanId: v.pipe(v.string(), v.nonEmpty()), screenshot }),
    run: ({ screenshot: withPicture, pendingPlanId }, box) =>
      sendMessage({ executionMode: 'apply_pending_plan', pendingPlanId }, withPicture, box),
  }),
  requestTool({
    name: 'discard-pending-plan',
    route: 'POST /chat',
    description: 'Discards the pending plan.',
    input: v.object({}),
    request: () => ({ json: { executionMode: 'discard_pending_plan' }, timeoutMs: chatMs }),
  }),
]
