import { drawTable } from '../../kernel/draw.ts'
import { assemble, type Assembly } from '../assemble.ts'
import { defineCommand } from './shared/command.ts'
import { publicOriginOf } from '../effective.ts'
import { inspect } from './shared/inspect.ts'
import { toShown } from '../secrets.ts'
import type { Setting } from '../setting.ts'
import { describeVariables, knownVariables, type Variable } from '../variables.ts'
import { jsonFlag, readShared, sharedFlags } from './shared/flags.ts'

export const config = defineCommand({
  name: 'config',
  summary: 'Prints the settings in effect and where each comes from; never a secret.',
  flags: {
    ...sharedFlags,
    variables: { help: 'Prints every variable that is read instead, what it does and what holds without it.' },
    ...jsonFlag,
  },
  async run(given, io) {
    const assembly = await assemble(io, readShared(given))
    if (given.has('variables')) {
      const variables = describeVariables(assembly.plugins)
      io.line(given.has('json') ? JSON.stringify(variables, null, 2) : drawVariables(variables))
      return 0
    }
    // A boot finds what no schema can, such as a service that no plugin gives: what this prints, `serve` starts with.
    await inspect(assembly, () => undefined)
    const shown = show(assembly)
    io.line(given.has('json') ? JSON.stringify(shown, null, 2) : draw(shown))
    return 0
  },
})

const drawVariables = (variables: readonly Variable[]): string =>
  drawTable(variables.map(({ name, otherwise = '', effect }) => [name, otherwise, effect])).join('\n')

type Shown = ReturnType<typeof show>

function show({ env, loaded, settings, plugins }: Assembly) {
  const inEffect: Readonly<Record<string, Setting<unknown>>> = {
    ...settings,
    publicOrigin: { ...settings.publicOrigin, value: publicOriginOf(settings, settings.port.value) },
  }
  return {
    file: loaded.file ?? null,
    shape: loaded.config.shape,
    settings: inEffect,
    // Options are named only: their values may be addresses with a password in them.
    plugins: plugins.map(({ plugin, entry, isBuiltin, options }) => ({
      name: plugin.name,
      from: isBuiltin ? 'built-in' : entry,
      options: typeof options === 'object' && options !== null ? Object.keys(options) : [],
    })),
    variables: Object.fromEntries(
      knownVariables(plugins).flatMap((name) =>
        env[name] === undefined ? [] : [[name, toShown(name, env[name])]],
      ),
    ),
  }
}

function draw({ file, shape, settings, plugins, variables }: Shown): string {
  const toText = (value: unknown): string =>
    (Array.isArray(value) ? value.join(', ') : String(value)) || '(none)'
  const variableRows = Object.entries(variables).map(([name, value]) => [`  ${name}`, value])
  return [
    `Configuration: ${file ?? 'no file, the defaults hold'}`,
    `Shape: ${shape}`,
    '',
    'Settings, and what sets them:',
    ...drawTable(
      Object.entries(settings).map(([name, { value, source, by }]) => [
        `  ${name}`,
        `${source} (${by})`,
        toText(value),
      ]),
    ),
    '',
    'Plugins:',
    ...drawTable(
      plugins.map(({ name, from, options }) => [
        `  ${name}`,
        from,
        options.length === 0 ? '' : `options: ${options.join(', ')}`,
      ]),
    ),
    ...(variableRows.length === 0 ? [] : ['', 'Variables that are set:', ...drawTable(variableRows)]),
  ].join('\n')
}
