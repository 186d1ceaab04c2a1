{{/* Changes that the overlays make by patches, made by values. Each template changes the manifest it is given in place. */}}

{{/* The suffix that kustomize gives a ConfigMap with this data, so that a change rolls out what reads it. */}}
{{- define "covalence.hash" -}}
{{- $hash := dict "kind" "ConfigMap" "name" "" "data" . | toJson | sha256sum | trunc 10 -}}
{{- $hash | replace "0" "g" | replace "1" "h" | replace "3" "k" | replace "a" "m" | replace "e" "t" -}}
{{- end -}}

{{/* The settings in the lines of a file, as JSON. */}}
{{- define "covalence.settings" -}}
{{- $settings := dict -}}
{{- range . -}}
{{- if contains "=" (regexReplaceAll "^#.*" . "") -}}
{{- $pair := splitn "=" 2 . -}}
{{- $_ := set $settings $pair._0 $pair._1 -}}
{{- end -}}
{{- end -}}
{{- toJson $settings -}}
{{- end -}}

{{/* The data of every ConfigMap, as JSON by name. */}}
{{- define "covalence.configMaps" -}}
{{- $settings := include "covalence.settings" (.Files.Lines "files/base/covalence.env") | fromJson -}}
{{- $all := dict "covalence" (mergeOverwrite $settings .Values.settings) "sites" (dict "sites.json" .Values.sites) -}}
{{- if .Values.backup.enabled -}}
{{- $settings = include "covalence.settings" (.Files.Lines "files/components/backup/backup.env") | fromJson -}}
{{- $_ := set $all "backup" (mergeOverwrite $settings .Values.backup.settings) -}}
{{- end -}}
{{- with .Values.packages -}}
{{- $_ := set $all "packages" . -}}
{{- end -}}
{{- if .Values.stores.inCluster -}}
{{- $files := dict -}}
{{- range $path, $_ := .Files.Glob "files/stores/*" -}}
{{- if ne (base $path) "kustomization.yaml" -}}
{{- $_ := set $files (base $path) ($.Files.Get $path) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $all "stores" $files -}}
{{- end -}}
{{- toJson $all -}}
{{- end -}}

{{/* What a cluster asks of every pod, names of ConfigMaps and Secrets, and images. */}}
{{- define "covalence.pod" -}}
{{- $values := .root.Values -}}
{{- $names := .names -}}
{{- $_ := mergeOverwrite .template.spec (omit $values.pod "annotations" | deepCopy) -}}
{{- with $values.pod.annotations -}}
{{- $_ := set $.template.metadata "annotations" . -}}
{{- end -}}
{{- range .template.spec.volumes -}}
{{- with .configMap -}}
{{- $_ := set . "name" (get $names .name | default .name) -}}
{{- end -}}
{{- with .secret -}}
{{- $_ := set . "secretName" (get $values.secretNames .secretName | default .secretName) -}}
{{- end -}}
{{- end -}}
{{- range concat .template.spec.containers (.template.spec.initContainers | default list) -}}
{{- if hasPrefix "covalence/" .image -}}
{{- $service := trimPrefix "covalence/" .image -}}
{{- $version := printf ":%s" $values.image.tag -}}
{{- with get $values.image.digests $service -}}
{{- $version = printf "@%s" . -}}
{{- end -}}
{{- $_ := set . "image" (printf "%s/%s%s" $values.image.repository $service $version) -}}
{{- end -}}
{{- range .envFrom -}}
{{- with .configMapRef -}}
{{- $_ := set . "name" (get $names .name) -}}
{{- end -}}
{{- with .secretRef -}}
{{- $_ := set . "name" (get $values.secretNames .name | default .name) -}}
{{- end -}}
{{- end -}}
{{- range .env -}}
{{- with (.valueFrom | default dict).secretKeyRef -}}
{{- $_ := set . "name" (get $values.secretNames .name | default .name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Trust in the authority of the stores. */}}
{{- define "covalence.authority" -}}
{{- $container := index .pod.containers 0 -}}
{{- $folder := "/etc/covalence-authority" -}}
{{- $_ := set $container "env" (append $container.env (dict "name" "NODE_EXTRA_CA_CERTS" "value" (printf "%s/ca.crt" $folder))) -}}
{{- $_ := set $container "volumeMounts" (append $container.volumeMounts (dict "name" "authority" "mountPath" $folder "readOnly" true)) -}}
{{- $_ := set .pod "volumes" (append .pod.volumes (dict "name" "authority" "configMap" (dict "name" .name))) -}}
{{- end -}}

{{/* Without a mail server, mails are files, which are lost with the pod. */}}
{{- define "covalence.mailFiles" -}}
{{- $container := index .pod.containers 0 -}}
{{- $env := list -}}
{{- range $container.env -}}
{{- if ne .name "MAIL_URL" -}}
{{- $env = append $env . -}}
{{- end -}}
{{- end -}}
{{- $_ := set $container "env" $env -}}
{{- if eq .kind "Deployment" -}}
{{- $_ := set $container "volumeMounts" (append $container.volumeMounts (dict "name" "mails" "mountPath" "/var/lib/covalence/mails")) -}}
{{- $_ := set .pod "volumes" (append .pod.volumes (dict "name" "mails" "emptyDir" (dict "sizeLimit" "64Mi"))) -}}
{{- end -}}
{{- end -}}

{{- define "covalence.deployment" -}}
{{- $service := .manifest.metadata.name -}}
{{- $pod := .manifest.spec.template.spec -}}
{{- with dig $service "resources" dict .root.Values.services -}}
{{- $container := index $pod.containers 0 -}}
{{- $_ := set $container "resources" (mergeOverwrite $container.resources .) -}}
{{- end -}}
{{- if .root.Values.strictZones -}}
{{- $_ := set (index $pod.topologySpreadConstraints 0) "whenUnsatisfiable" "DoNotSchedule" -}}
{{- end -}}
{{- if and .root.Values.stores.inCluster (eq $service "profile") -}}
{{- $bucket := .root.Files.Get "files/bucket.yaml" | fromYaml -}}
{{- $_ := set $pod "initContainers" $bucket.spec.template.spec.initContainers -}}
{{- end -}}
{{- end -}}

{{/* A HorizontalPodAutoscaler or ScaledObject. */}}
{{- define "covalence.autoscaler" -}}
{{- $spec := .manifest.spec -}}
{{- $names := ternary (list "minReplicas" "maxReplicas") (list "minReplicaCount" "maxReplicaCount") (eq .manifest.kind "HorizontalPodAutoscaler") -}}
{{- $replicas := merge (dict) (dig .manifest.metadata.name "replicas" dict .root.Values.services) .root.Values.replicas -}}
{{- range $index, $limit := list $replicas.min $replicas.max -}}
{{- with $limit -}}
{{- $_ := set $spec (index $names $index) . -}}
{{- end -}}
{{- end -}}
{{- $limits := list (get $spec (first $names)) (get $spec (last $names)) -}}
{{- if gt (int (first $limits)) (int (last $limits)) -}}
{{- fail (printf "%s: at least %v processes, but at most %v" .manifest.metadata.name (first $limits) (last $limits)) -}}
{{- end -}}
{{- range $spec.triggers -}}
{{- if eq .type "prometheus" -}}
{{- $_ := set .metadata "serverAddress" $.root.Values.prometheus -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "covalence.route" -}}
{{- $_ := set .manifest.spec "hostnames" (list .root.Values.hosts.api .root.Values.hosts.auth | uniq) -}}
{{- end -}}

{{- define "covalence.gateway" -}}
{{- with .root.Values.gatewayApi.annotations -}}
{{- $_ := set $.manifest.metadata "annotations" . -}}
{{- end -}}
{{- $_ := set .manifest.spec "gatewayClassName" .root.Values.gatewayApi.className -}}
{{- range .manifest.spec.listeners -}}
{{- with .tls -}}
{{- $_ := set . "certificateRefs" (list (dict "name" $.root.Values.tlsSecret)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "covalence.ingress" -}}
{{- $hosts := list .root.Values.hosts.api .root.Values.hosts.auth | uniq -}}
{{- $rule := first .manifest.spec.rules -}}
{{- $rules := list -}}
{{- range $hosts -}}
{{- $rules = append $rules (set (deepCopy $rule) "host" .) -}}
{{- end -}}
{{- $_ := set .manifest.spec "rules" $rules -}}
{{- $_ := set .manifest.spec "ingressClassName" .root.Values.ingress.className -}}
{{- with .root.Values.ingress.annotations -}}
{{- $_ := set $.manifest.metadata "annotations" . -}}
{{- end -}}
{{- with .root.Values.tlsSecret -}}
{{- $_ := set $.manifest.spec "tls" (list (dict "hosts" $hosts "secretName" .)) -}}
{{- end -}}
{{- end -}}

{{- define "covalence.account" -}}
{{- with get .root.Values.serviceAccounts .manifest.metadata.name -}}
{{- $_ := set $.manifest.metadata "annotations" . -}}
{{- end -}}
{{- end -}}

{{- define "covalence.store" -}}
{{- range $claim := .manifest.spec.volumeClaimTemplates -}}
{{- with $.root.Values.stores.storageClass -}}
{{- $_ := set $claim.spec "storageClassName" . -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Every change of one manifest. `isBase`: its kustomization labels it. */}}
{{- define "covalence.change" -}}
{{- $manifest := .manifest -}}
{{- $spec := $manifest.spec | default dict -}}
{{- $labelled := list $manifest -}}
{{- $template := $spec.template -}}
{{- if $spec.jobTemplate -}}
{{- $template = $spec.jobTemplate.spec.template -}}
{{- $labelled = append $labelled $spec.jobTemplate -}}
{{- end -}}
{{- with $template -}}
{{- $labelled = append $labelled . -}}
{{- end -}}
{{- range ternary $labelled list .isBase -}}
{{- $metadata := .metadata | default dict -}}
{{- $_ := set $metadata "labels" (merge (dict "app.kubernetes.io/part-of" "covalence") ($metadata.labels | default dict)) -}}
{{- $_ := set . "metadata" $metadata -}}
{{- end -}}
{{- $_ := set $manifest.metadata "namespace" .root.Release.Namespace -}}
{{- $changes := dict
  "Deployment" "covalence.deployment"
  "HorizontalPodAutoscaler" "covalence.autoscaler"
  "ScaledObject" "covalence.autoscaler"
  "Ingress" "covalence.ingress"
  "HTTPRoute" "covalence.route"
  "Gateway" "covalence.gateway"
  "ServiceAccount" "covalence.account"
  "StatefulSet" "covalence.store" -}}
{{- with get $changes $manifest.kind -}}
{{- include . $ -}}
{{- end -}}
{{- with $template -}}
{{- $labels := $manifest.metadata.labels -}}
{{- if and $.root.Values.mailFiles (eq (get $labels "app.kubernetes.io/name") "auth") -}}
{{- include "covalence.mailFiles" (dict "kind" $manifest.kind "pod" .spec) -}}
{{- end -}}
{{- if and $.root.Values.authority (has (get $labels "app.kubernetes.io/component") (list "service" "job")) -}}
{{- include "covalence.authority" (dict "pod" .spec "name" $.root.Values.authority) -}}
{{- end -}}
{{- include "covalence.pod" (dict "root" $.root "names" $.names "template" .) -}}
{{- end -}}
{{- end -}}
