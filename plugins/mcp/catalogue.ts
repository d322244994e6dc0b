import { perObject } from '../content/plain-object.ts'
import { type JsonSchema, toJsonSchema } from '../docs/port.ts'
import type { Host } from './host.ts'
import type { ToolSettings } from './settings.ts'
import { changeTools, checkTools } from './tools/changes.ts'
import { chatTools, screenshotTool } from './tools/chat.ts'
import { operationTools, pageTools } from './tools/edits.ts'
import { pictureTools } from './tools/pictures.ts'
import { blockTypeTools, outlineTools } from './tools/read.ts'
import { publishTools, siteTools } from './tools/sites.ts'
import type { Tool } from './tools/tool.ts'

interface InputSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

/** The tools of one host. */
export type Catalogue = ReturnType<typeof createCatalogue>

const describe = perObject((tool: Tool) => toJsonSchema(tool.input))

const cursor: JsonSchema = { type: 'string', description: 'The cursor from the end of the previous part.' }

/** The tools of a host: those whose routes the service has, and only reading ones in read-only mode. */
export function createCatalogue(settings: ToolSettings, { hasRoute }: Pick<Host, 'hasRoute'>) {
  const { prefix, all, allow, readOnly } = settings
  const usable = tools.filter(({ reads, routes }) => (reads || !readOnly) && routes.every(hasRoute))
  const isCapped = ({ byDefault }: Tool): boolean => !all && byDefault === true
  const isListed = (tool: Tool): boolean => all || (tool.byDefault === true && (tool.needs === undefined || tool.needs === 'some' || allow.has(tool.needs)))
  const byName = new Map(usable.map((tool) => [prefix + tool.name, tool]))
  return {
    /** Whether long answers of a tool are split into parts. */
    isCapped,
    /** Finds any tool that may be called, listed or not. */
    find: (name: string) => byName.get(name),
    /** The tools as hosts see them. */
    list: () => Promise.all(usable.filter(isListed).map(async (tool) => {
      const { properties: own, required = [], ...rest } = await describe(tool)
      const properties = { ...own, ...(isCapped(tool) && tool.reads && { cursor }) }
      const inputSchema: InputSchema = { ...rest, type: 'object', properties, required }
      return {
        name: prefix + tool.name,
        description: tool.oneOf ? `${tool.description} Give one of ${tool.oneOf.join(', ')}.` : tool.description,
        inputSchema,
        annotations: { readOnlyHint: tool.reads ?? false, destructiveHint: tool.destructive ?? false, openWorldHint: tool.open ?? false },
      }
    })),
  }
}

/** Every tool; those listed by default come first. */
export const tools: readonly Tool[] = [
  ...outlineTools, ...blockTypeTools, ...changeTools, ...checkTools, screenshotTool, ...publishTools,
  ...pageTools, ...operationTools, ...siteTools, ...pictureTools, ...chatTools,
]
