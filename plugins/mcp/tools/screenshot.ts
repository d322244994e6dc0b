import * as v from 'valibot'
import { optionalSlug, text } from '../arguments.ts'
import { defineTool, expected, type Given, type Tool, type Toolbox } from '../tool.ts'

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
