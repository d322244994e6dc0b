import { drawTable } from '../../kernel/draw.ts'
import type { Assembly } from '../assemble.ts'
import { toShown } from '../secrets.ts'
import { publicOriginOf, type Setting } from '../settings.ts'
import { describeVariables, variableNames } from '../variables.ts'
import { defineCommand, jsonFlag, report } from './shared/command.ts'
import { databaseOf } from './shared/database.ts'
import { assembleFor, inspect, sharedFlags } from './shared/installation.ts'

export const config = defineCommand({
  name: 'config',
  summary: 'Prints the settings in effect and where each comes from; never a secret.',
  flags: {
    ...sharedFlags,
    all: { help: 'Prints every variable that is read instead, its effect and its default.' },
    ...jsonFlag,
  },
  async run(given, io) {
    const assembly = await assembleFor(given, io)
    if (given.has('all')) {
      return report(given, io, describeVariables(assembly.plugins), (all) =>
        drawTable(all.map(({ name, otherwise = '', effect }) => [name, otherwise, effect])).join('\n'),
      )
    }
    // Boots, to find problems that schemas cannot, such as a missing service, before `serve` does.
    await inspect(assembly, () => undefined)
    databaseOf(assembly)
    report(given, io, toShownSettings(assembly), draw)
  },
})

function toShownSettings({ env, loaded, settings, plugins }: Assembly) {
  const inEffect: Readonly<Record<string, Setting<unknown>>> = {
    ...settings,
    publicOrigin: { ...settings.publicOrigin, value: publicOriginOf(settings, settings.port.value) },
  }
  return {
    file: loaded.file ?? null,
    shape: loaded.config.shape,
    settings: inEffect,
    // Only the names of options: their values may contain addresses with a password.
    plugins: plugins.map(({ plugin, entry, isBuiltin, options }) => ({
      name: plugin.name,
      from: isBuiltin ? 'built-in' : entry,
      options: typeof options === 'object' && options !== null ? Object.keys(options) : [],
    })),
    variables: Object.fromEntries(
      variableNames(plugins).flatMap((name) =>
        env[name] === undefined ? [] : [[name, toShown(name, env[name])]],
      ),
    ),
  }
}

function draw({ file, shape, settings, plugins, variables }: ReturnType<typeof toShownSettings>): string {
  const toText = (value: unknown): string =>
    (Array.isArray(value) ? value.join(', ') : String(value)) || '(none)'
  const settingRows = Object.entries(settings).map(([name, { value, source, by }]) => [
    `  ${name}`,
    `${source} (${by})`,
    toText(value),
  ])
  const pluginRows = plugins.map(({ name, from, options }) => [
    `  ${name}`,
    from,
    options.length === 0 ? '' : `options: ${options.join(', ')}`,
  ])
  const variableRows = Object.entries(variables).map(([name, value]) => [`  ${name}`, value])
  return [
    `Configuration: ${file ?? 'no file, using the defaults'}`,
    `Shape: ${shape}`,
    '',
    'Settings, and what sets them:',
    ...drawTable(settingRows),
    '',
    'Plugins:',
    ...drawTable(pluginRows),
    ...(variableRows.length === 0 ? [] : ['', 'Variables that are set:', ...drawTable(variableRows)]),
  ].join('\n')
}
