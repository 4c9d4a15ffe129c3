import math
import sys

import bpy

frames, out = int(sys.argv[-2]), sys.argv[-1]
scene = bpy.context.scene
pivot = bpy.data.objects.new("pivot", None)
scene.collection.objects.link(pivot)
cam = scene.camera
cam.parent = pivot
for f, angle in ((1, 0.0), (frames + 1, 2 * math.pi)):
    pivot.rotation_euler[2] = angle
    pivot.keyframe_insert("rotation_euler", index=2, frame=f)
for curve in pivot.animation_data.action.fcurves:
    for key in curve.keyframe_points:
        key.interpolation = "LINEAR"
scene.frame_start, scene.frame_end = 1, frames
scene.render.filepath = out
bpy.ops.render.render(animation=True)
