import Type, { type TProperties } from 'typebox';
import { closedObject } from './formats.ts';

/** An object that the OpenAPI document describes once, under this name. */
export const namedObject = <Properties extends TProperties>(name: string, properties: Properties) =>
  Type.Object(properties, { title: name });

/** The same, closed: it refuses unknown fields. */
export const closedNamedObject = <Properties extends TProperties>(
  name: string,
  properties: Properties,
) => closedObject(properties, { title: name });
