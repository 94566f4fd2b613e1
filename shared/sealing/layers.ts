import type { PdfFile } from './pdf/file.ts';
import { isName, PdfDict, type PdfObject, PdfRef } from './pdf/values.ts';

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

/** True if a layer may be on in view and off in print or the reverse: content shown while it is off may then be printed only. */
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
  const properties = catalog.get('OCProperties');
  const isOff = defaultStates(file, file.entry(properties, 'D'));
  return file.items(file.entry(properties, 'OCGs')).flatMap((value) => {
    const layer = file.resolve(value);
    if (!(layer instanceof PdfDict)) return [];
    /** The state that the layer's usage dictionary wants for an event, if any. */
    const usage = (event: 'View' | 'Print') =>
      file.entry(file.entry(layer.get('Usage'), event), `${event}State`);
    const off = value instanceof PdfRef && isOff(value);
    return [{ off, shown: usage('View'), printed: usage('Print') }];
  });
}

function defaultStates(file: PdfFile, configuration: PdfObject): (layer: PdfRef) => boolean {
  const numbers = (key: string): Set<number> => {
    const layers = file.items(file.entry(configuration, key));
    return new Set(layers.flatMap((layer) => (layer instanceof PdfRef ? [layer.num] : [])));
  };
  const [on, off] = [numbers('ON'), numbers('OFF')];
  const allOff = isName(file.entry(configuration, 'BaseState'), 'OFF');
  return ({ num }) => off.has(num) || (allOff && !on.has(num));
}
