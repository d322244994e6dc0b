import { validate } from './check.ts'
import type { Used } from './plugin.ts'
import { isSchema } from './schema.ts'

/** Parses the options and the environment of every plugin, and collects all problems. */
export function readSettings(used: readonly Used[], env: Readonly<Record<string, string | undefined>>) {
  const problems: string[] = []
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  )
  const readable = used.filter(({ plugin }) => isSchema(plugin.options) && isSchema(plugin.env))
  const settings = new Map(
    readable.map(({ plugin, options: stated }) => {
      const wanted = stated ?? (plugin.options.type === 'undefined' ? undefined : {})
      const options = validate(plugin.options, wanted)
      const variables = validate(plugin.env, plugin.env.type === 'undefined' ? undefined : given)
      for (const { path, message } of options.issues ?? []) {
        problems.push(`${plugin.name}: ${path === '' ? 'options' : `option '${path}'`}: ${message}`)
      }
      for (const { path, message } of variables.issues ?? []) {
        const missing = message.endsWith(' is required')
        problems.push(
          `environment variable ${path}: ${missing ? `the plugin '${plugin.name}' needs it; set it` : message}`,
        )
      }
      return [plugin, { options: options.output, env: variables.output }] as const
    }),
  )
  return { settings, problems: [...new Set(problems)] }
}
