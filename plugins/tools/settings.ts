import * as v from 'valibot'

/** Headers of the file may name any variable; only those that they name are looked at. */
export const ToolVariables = v.pipe(
  v.looseObject({
    ORCHESTRATOR_TOOL_MANIFEST_PATH: v.pipe(v.optional(v.string()), v.description('A JSON file with tools of other services that agents may use.')),
  }),
  v.transform(({ ORCHESTRATOR_TOOL_MANIFEST_PATH: path, ...others }) => ({
    path,
    valueOf(name: string): string | undefined {
      const value = Object.hasOwn(others, name) ? others[name] : undefined
      return typeof value === 'string' ? value : undefined
    },
  })),
)
