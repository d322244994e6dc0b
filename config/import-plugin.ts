import { existsSync } from 'node:fs'
import nodeModule from 'node:module'
import { isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPlugin, type Plugin } from '../kernel/index.ts'
import { builtinNames, importBuiltin, isBuiltin } from './builtins.ts'
import { explain } from './explain.ts'
import { hint } from './nearest.ts'
import { isObject } from './values.ts'

/** A plugin, or a sentence that says why it cannot be used. */
export type Imported =
  | { readonly plugin: Plugin; readonly problem?: never }
  | { readonly plugin?: never; readonly problem: string }

const isFile = (name: string): boolean => /^\.\.?[\\/]/.test(name) || isAbsolute(name)

/** Imports the plugin of a name: a built-in, a file, or a package as the folder `base` sees it. */
export async function importPlugin(name: string, base: string): Promise<Imported> {
  if (isFile(name) && !existsSync(resolve(base, name))) return { problem: `'${name}' does not exist in ${base}` }
  let module: unknown
  try {
    if (isBuiltin(name)) return { plugin: await importBuiltin(name) }
    module = isFile(name) ? await import(pathToFileURL(resolve(base, name)).href) : await importPackage(name, base)
  } catch (error) {
    return { problem: `'${name}' cannot be loaded: ${explain(error)}` }
  }
  if (module === notFound) {
    return { problem: `'${name}' is neither a built-in plugin nor a package seen from ${base}${hint(name, builtinNames)}` }
  }
  const exported = isObject(module) ? module['default'] : undefined
  return isPlugin(exported)
    ? { plugin: exported }
    : { problem: `'${name}' has no default export made by definePlugin(...).setup(...)` }
}

const notFound = Symbol('package not found')

/**
 * Imports a package as a module in `base` would, whatever this file itself could see.
 *
 * Uses a hook, because `require.resolve` takes a folder but does not know packages that only `import` can load.
 */
async function importPackage(name: string, base: string): Promise<unknown> {
  const parentURL = pathToFileURL(join(base, 'orchestrator.config.ts')).href
  let isFound = false
  const hooks = nodeModule.registerHooks({
    resolve(specifier, context, next) {
      if (specifier !== name || context.parentURL !== import.meta.url) return next(specifier, context)
      const found = next(specifier, { ...context, parentURL })
      isFound = true
      return found
    },
  })
  try {
    return await import(name)
  } catch (error) {
    if (isFound || !isNotFound(error)) throw error
    return notFound
  } finally {
    hooks.deregister()
  }
}

const isNotFound = (error: unknown): boolean =>
  error instanceof Error && 'code' in error
  && ['ERR_MODULE_NOT_FOUND', 'ERR_INVALID_MODULE_SPECIFIER'].includes(String(error.code))
