/** The commands that the README of content files shows, for other pages and operations than those of its example. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { blocksOf, moduleOf } from '../helpers/readme-blocks.ts'

const readme = 'plugins/files/README.md'

export interface CurlAnswer {
  readonly status: number
  readonly body: unknown
}

export type SentOperation = Readonly<Record<string, unknown>> & { readonly op: string }

/** The file of the service, as the README has it. */
export async function documentedService(folder: string, port: number): Promise<string> {
  const [service = ''] = await blocksOf(readme, 'js')
  return moduleOf(folder, 'service.mjs', service.replace('4200', String(port)))
}

/** The commands of the README in their order. */
export const documentedCommands = async (): Promise<readonly string[]> =>
  (await blocksOf(readme, 'sh')).filter((block) => block.startsWith('curl'))

const Documented = v.looseObject({ op: v.string() })

/** The operations of the README, which are lines of JSON. */
export async function documentedOperations(): Promise<readonly SentOperation[]> {
  const rows = (await blocksOf(readme, 'jsonl')).flatMap((block) => block.trim().split('\n'))
  return rows.map((row) => v.parse(Documented, JSON.parse(row)))
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Runs a command in a shell, as it is pasted, and returns what it answers. */
export async function answerOf(command: string): Promise<CurlAnswer> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command.trim()} -w '\n%{http_code}'`], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end)), body: JSON.parse(stdout.slice(0, end)) as unknown }
}

/** The commands of the README for a service on another port. */
export async function documentedCurl(port: number) {
  const commands = (await documentedCommands()).map((each) =>
    each.replace('localhost:4200', `localhost:${port}`),
  )
  const shapes = new Set((await documentedOperations()).map(shapeOf))
  const commandOf = (path: string): string => {
    const found = commands.find((each) => each.includes(`localhost:${port}${path}`))
    if (found === undefined) throw new Error(`${readme} shows no command for ${path}`)
    return found
  }
  const get = (path: string) => answerOf(commandOf(path))
  return {
    slugs: () => get('/draft/slugs?'),
    page: (slug: string) =>
      answerOf(commandOf('/draft/pages?').replace(/&slug=[^']*/, () => `&slug=${encodeURI(slug)}`)),
    /** Sends operations in the command of the README; only in forms that it shows, unless they are `bad`. */
    ops(ops: readonly unknown[], isBad = false): Promise<CurlAnswer> {
      const other = ops.find((each) => !shapes.has(shapeOf(each)))
      if (!isBad && other !== undefined) throw new Error(`${readme} shows no ${JSON.stringify(other)}`)
      return answerOf(
        commandOf('/ops ').replace(/'\{ "siteId"[^]*\}'/, (body) => {
          const sent = JSON.parse(body.slice(1, -1)) as Record<string, unknown>
          return quoted(JSON.stringify({ ...sent, ops }))
        }),
      )
    },
    /** Sends another body in a command of the README. */
    send: (path: string, body: string) =>
      answerOf(commandOf(path).replace(/'\{ "siteId"[^]*\}'/, () => quoted(body))),
    diff: () => get('/publish/diff?'),
    files: () => get('/publish/files?'),
    publish: () => get('/publish '),
  }
}

/** The name of an operation with those of its fields. */
function shapeOf(op: unknown): string {
  return JSON.stringify([v.parse(Documented, op).op, Object.keys(v.parse(Documented, op)).toSorted()])
}
