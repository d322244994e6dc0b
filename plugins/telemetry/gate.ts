import { gate, type Gate } from '../../kernel/index.ts'

/** The access gate, for routes that TELEMETRY_HTTP can take away. */
export const telemetryGate = gate('telemetry')

export function createTelemetryGate(access: Gate, isOn: boolean): Gate {
  return isOn ? access : { mounting: () => ({ mount: false, because: 'TELEMETRY_HTTP is off' }), admit: (request, route) => access.admit(request, route) }
}
