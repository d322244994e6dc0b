import * as v from 'valibot'
import { BootError, validate } from '../kernel/index.ts'
import { builtinNames, presetNames, renamedPlugin } from './builtins.ts'
import type { OrchestratorConfig, PluginEntry } from './define-config.ts'
import { hint } from '../kernel/nearest.ts'
import { isObject, LogLevel } from './values.ts'

const Text = v.string('expected a text')
const Texts = v.array(Text, 'expected a list of texts')
const isPort = (port: number): boolean => Number.isInteger(port) && port >= 0 && port <= 65_535
const Port = v.pipe(v.number('expected a number'), v.check(isPort, 'expected a whole number from 0 to 65535'))
const Preset = v.picklist(
  presetNames,
  ({ input }) => `expected ${presetNames.join(', ')}${hint(String(input), presetNames)}`,
)
const Builtin = v.picklist(builtinNames, ({ input }) => {
  const name = String(input)
  return renamedPlugin(name) ?? `'${name}' is not a built-in plugin${hint(name, builtinNames)}`
})

const isNamed = (what: unknown): boolean => (typeof what === 'string' && what.trim() !== '') || isObject(what)

/** Refuses only values that can never be an entry; plugins are checked when they are resolved. */
const isEntry = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 2 && isNamed(value[0]) : isNamed(value)
const Entry = v.custom<PluginEntry>(isEntry, 'expected a name, a pair [name, options], or a plugin')
const Listen = v.object(
  { host: v.optional(Text), port: v.optional(Port) },
  'expected an object with host and port',
)

const Files = v.object(
  { include: v.optional(Texts), ignore: v.optional(Texts) },
  'expected an object with include and ignore',
)

const Config = v.object({
  shape: v.optional(
    v.picklist(['standalone', 'library'], "expected 'standalone' or 'library'"),
    'standalone',
  ),
  listen: v.optional(Listen),
  dataDir: v.optional(Text),
  logLevel: v.optional(LogLevel),
  origins: v.optional(Texts),
  allowedHosts: v.optional(Texts),
  publicOrigin: v.optional(Text),
  trustProxy: v.optional(Texts),
  preset: v.optional(Preset),
  without: v.optional(v.array(Builtin, 'expected a list of names')),
  plugins: v.optional(v.array(Entry, 'expected a list of plugins')),
  files: v.optional(Files),
  base: v.optional(Text),
})

/** The valid part of a configuration, and the problems of the rest. */
export interface CheckedConfig {
  readonly config: OrchestratorConfig
  readonly problems: readonly string[]
}

/**
 * Checks a configuration; `where` names the file in messages. Omits invalid parts, so that the rest can be
 * checked further. Throws a BootError for a value that is not an object.
 */
export function checkConfig(value: unknown, where: string): CheckedConfig {
  if (!isObject(value)) {
    throw new BootError([
      `${where} holds no configuration: expected an object such as { shape: 'standalone' }`,
    ])
  }
  const listen = isObject(value['listen']) ? value['listen'] : {}
  const files = isObject(value['files']) ? value['files'] : {}
  const unknown = [
    ...unknownKeys(value, Config.entries),
    ...unknownKeys(listen, Listen.entries, 'listen.'),
    ...unknownKeys(files, Files.entries, 'files.'),
  ]
  const parsed = validate(Config, value)
  const wrong = (parsed.issues ?? []).map(({ path, message }) =>
    message.endsWith('is required') ? message : `'${path}': ${message}`,
  )
  return {
    config: parsed.success ? parsed.output : v.parse(Config, validPart(value)),
    problems: [...unknown, ...wrong].map((problem) => `${where}: ${problem}`),
  }
}

/** Returns the keys with valid values, and the valid entries of `plugins`. */
function validPart(value: Readonly<Record<string, unknown>>): object {
  const plugins = Array.isArray(value['plugins']) ? value['plugins'].filter(isEntry) : undefined
  const entries = Object.entries(Config.entries).filter(
    ([key, schema]) => v.safeParse(schema, value[key]).success,
  )
  return { plugins, ...Object.fromEntries(entries.map(([key]) => [key, value[key]])) }
}

function unknownKeys(
  value: Readonly<Record<string, unknown>>,
  entries: object,
  prefix = '',
): readonly string[] {
  return Object.keys(value)
    .filter((key) => !Object.hasOwn(entries, key))
    .map((key) => `'${prefix}${key}' is not a setting${hint(key, Object.keys(entries))}`)
}
