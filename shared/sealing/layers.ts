import type { PdfFile } from './pdf/file.ts';
import { isName, PdfArray, PdfDict, type PdfObject, PdfRef } from './pdf/values.ts';

/**
 * True if a layer (optional content group) is printed but not shown. Readers differ: some apply a layer's own usage
 * only if the configuration asks for it (/AS), some always, some even to a layer that is switched off. So a layer is
 * reported if one reader might hide it and one might print it.
 */
export const printsHiddenLayer = (file: PdfFile, catalog: PdfDict): boolean =>
  layerStates(file, catalog).some(
    ({ off, shown, printed }) =>
      (off || isName(shown, 'OFF')) && (isName(printed, 'ON') || (!off && !isName(printed, 'OFF'))),
  );

/** True if a layer may be on here and off there, so that content shown while it is off may be printed only. */
export const layersVary = (file: PdfFile, catalog: PdfDict): boolean =>
  layerStates(file, catalog).some(({ off, shown, printed }) =>
    [shown, printed].some((state) => isName(state, off ? 'ON' : 'OFF')),
  );

interface LayerStates {
  off: boolean;
  /** The state that its usage dictionary asks for, if any. */
  shown: PdfObject;
  printed: PdfObject;
}

function layerStates(file: PdfFile, catalog: PdfDict): LayerStates[] {
  const properties = file.resolve(catalog.get('OCProperties'));
  if (!(properties instanceof PdfDict)) return [];
  const layers = file.resolve(properties.get('OCGs'));
  if (!(layers instanceof PdfArray)) return [];
  const isOff = defaultStates(file, file.resolve(properties.get('D')));
  return layers.items.flatMap(({ value }) => {
    const layer = file.resolve(value);
    if (!(layer instanceof PdfDict)) return [];
    const off = value instanceof PdfRef && isOff(value);
    return [{ off, shown: usage(file, layer, 'View'), printed: usage(file, layer, 'Print') }];
  });
}

function defaultStates(file: PdfFile, configuration: PdfObject): (layer: PdfRef) => boolean {
  if (!(configuration instanceof PdfDict)) return () => false;
  const numbers = (key: string): Set<number> => {
    const list = file.resolve(configuration.get(key));
    const items = list instanceof PdfArray ? list.items : [];
    return new Set(items.flatMap(({ value }) => (value instanceof PdfRef ? [value.num] : [])));
  };
  const [on, off] = [numbers('ON'), numbers('OFF')];
  const allOff = isName(file.resolve(configuration.get('BaseState')), 'OFF');
  return ({ num }) => off.has(num) || (allOff && !on.has(num));
}

/** The state that the layer's usage dictionary wants for an event, if any. */
function usage(file: PdfFile, layer: PdfDict, event: 'View' | 'Print'): PdfObject {
  const usages = file.resolve(layer.get('Usage'));
  const wanted = usages instanceof PdfDict ? file.resolve(usages.get(event)) : null;
  return wanted instanceof PdfDict ? file.resolve(wanted.get(`${event}State`)) : null;
}
