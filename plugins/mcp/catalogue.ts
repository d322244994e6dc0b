import * as v from 'valibot'
import { type Schema, type JsonSchema, toJsonSchema } from '../../kernel/index.ts'
import { perObject } from '../content/plain-object.ts'
import type { Host } from './host.ts'
import type { ToolSettings } from './settings.ts'
import { changeTools, checkTools } from './tools/changes.ts'
import { chatTools, screenshotTool } from './tools/chat.ts'
import { operationTools, pageTools } from './tools/edits.ts'
import { pictureTools } from './tools/pictures.ts'
import { blockTypeTools, outlineTools } from './tools/read.ts'
import { publishTools, siteTools } from './tools/sites.ts'
import type { Tool } from './tools/tool.ts'

interface ObjectSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

export type Catalogue = ReturnType<typeof createCatalogue>

const describeAnswer = perObject((answer: Schema) => toJsonSchema(answer, 'output'))

const cursor: JsonSchema = { type: 'string', description: 'The cursor from the end of the previous part.' }

/** A part of an answer that is too long for one result. */
const AnswerPart = v.object({ part: v.string(), cursor: v.optional(v.string()) })

/** Creates the tools of a host, for existing routes and, in read-only mode, only tools that read. */
export function createCatalogue(settings: ToolSettings, { replyOf }: Pick<Host, 'replyOf'>) {
  const { prefix, all, allow, readOnly } = settings
  const usable = tools.filter(({ reads, routes }) => (reads || !readOnly) && routes.every(replyOf))
  const isCapped = ({ byDefault }: Tool): boolean => !all && byDefault === true
  const isListed = (tool: Tool): boolean =>
    all ||
    (tool.byDefault === true && (tool.needs === undefined || tool.needs === 'some' || allow.has(tool.needs)))
  const byName = new Map(usable.map((tool) => [prefix + tool.name, tool]))
  const answerOf = ({ output, routes: [route] }: Tool): Schema => {
    if (output && typeof output !== 'function') return output
    const reply = (route && replyOf(route)) ?? v.unknown()
    return output ? output(reply) : reply
  }
  const nameOf = (route: string): string | undefined =>
    usable.find(({ routes }) => routes.some((each) => each === route))?.name
  return {
    /** The schema of the answer of a tool. */
    answerOf,
    /** Replaces routes in a text by tools that call them. */
    withToolNames: (text: string): string =>
      text.replaceAll(/\b(?:GET|POST|PATCH|DELETE) \/[\w/-]+/g, (route) => {
        const name = nameOf(route)
        return name === undefined ? route : prefix + name
      }),
    /** True if long answers of a tool are split into parts. */
    isCapped,
    /** Finds any callable tool, listed or not. */
    find: (name: string) => byName.get(name),
    /** The tools in the form for hosts. */
    list: () =>
      Promise.all(
        usable.filter(isListed).map(async (tool) => {
          const { properties: own, required = [], ...rest } = await tool.inputSchema()
          const properties = { ...Object(own), ...(isCapped(tool) && tool.reads && { cursor }) }
          const inputSchema: ObjectSchema = { ...rest, type: 'object', properties, required }
          const answer = await describeAnswer(answerOf(tool))
          const isSplit = isCapped(tool) && tool.reads
          const outputSchema: ObjectSchema = {
            ...(isSplit ? { anyOf: [answer, await describeAnswer(AnswerPart)] } : answer),
            type: 'object',
          }
          return {
            name: prefix + tool.name,
            description: tool.oneOf
              ? `${tool.description} Give one of ${tool.oneOf.join(', ')}.`
              : tool.description,
            inputSchema,
            outputSchema,
            annotations: {
              readOnlyHint: tool.reads ?? false,
              destructiveHint: tool.destructive ?? false,
              openWorldHint: tool.open ?? false,
            },
          }
        }),
      ),
  }
}

/** All tools; those listed by default come first. */
export const tools: readonly Tool[] = [
  ...outlineTools,
  ...blockTypeTools,
  ...changeTools,
  ...checkTools,
  screenshotTool,
  ...publishTools,
  ...pageTools,
  ...operationTools,
  ...siteTools,
  ...pictureTools,
  ...chatTools,
]
